-- expand
-- What migration 0098 left unread, beside those who write.
ALTER TABLE consent VALIDATE CONSTRAINT consent_subject_check;
ALTER TABLE consent VALIDATE CONSTRAINT consent_check;
ALTER TABLE consent VALIDATE CONSTRAINT consent_source_check;
