-- expand
-- Beside those who write: an older release knew fewer topics, never others.
ALTER TABLE help_case VALIDATE CONSTRAINT help_case_about_kind_check;
