-- Forgotten passwords by mail.

-- Who asked for a link, as they typed it: answered alike for all, looked at afterwards. Sealed, since a name and an
-- address stand in it; deleted when it was looked at.
CREATE TABLE password_request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX password_request_due ON password_request (next_attempt_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON password_request TO portal_app;

-- The one link an account may have: a newer one takes its place, and using it deletes the row.
CREATE TABLE password_reset (
  user_id bigint PRIMARY KEY REFERENCES users (id),
  -- SHA-256 of the token; the token itself stands in the letter alone.
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  -- SHA-256 of the password's hash when the link was made: the link dies with the password it was to replace.
  password_mark bytea NOT NULL CHECK (length(password_mark) = 32),
  -- The address the link went to. It dies too when the account's is another by then.
  sealed_email bytea NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX password_reset_made ON password_reset (made_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON password_reset TO portal_app;
