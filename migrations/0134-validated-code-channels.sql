-- expand
-- Beside those who write: an older release knew fewer channels, never others.
ALTER TABLE one_time_code VALIDATE CONSTRAINT one_time_code_channel_check;
