-- Signing in: sessions, devices, the second factor, one-time codes by SMS and mail, forgotten passwords.

-- A session serves the player site or the operator console, never both.
CREATE TABLE sessions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  -- SHA-256 of the token; the token itself is never stored.
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  user_agent text NOT NULL,
  -- Where it was opened, as a country, `private` or `unknown`: what its owner is shown. The address itself is kept nowhere.
  place text NOT NULL DEFAULT 'unknown' CHECK (place ~ '^([A-Z]{2}|private|unknown)$'),
  -- When its holder last proved the second factor anew (step-up), after the sign-in.
  step_up_at timestamptz,
  kind text NOT NULL DEFAULT 'player' CHECK (kind IN ('player', 'console'))
);
CREATE INDEX sessions_user ON sessions (user_id, created_at DESC);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO portal_app;

-- Sign-ins, also those that failed, for 90 days. Apart from the account, so that they can be erased.
CREATE TABLE sign_in (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  outcome text NOT NULL CHECK (outcome IN ('succeeded', 'wrong-password', 'wrong-second-factor')),
  user_agent text NOT NULL CHECK (length(user_agent) <= 300),
  place text NOT NULL CHECK (place ~ '^([A-Z]{2}|private|unknown)$'),
  -- Keyed hash of player, kind of browser and network: tells that it was the same, and not which.
  origin_hash bytea NOT NULL CHECK (length(origin_hash) = 32),
  is_new_device boolean NOT NULL
);
CREATE INDEX sign_in_user ON sign_in (user_id, id DESC);
CREATE INDEX sign_in_origin ON sign_in (user_id, origin_hash) WHERE outcome = 'succeeded';
CREATE INDEX sign_in_failed ON sign_in (user_id, at) WHERE outcome <> 'succeeded';
CREATE INDEX sign_in_at ON sign_in (at);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON sign_in FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON sign_in TO portal_app;

-- The devices and addresses a player signed in from. They open nothing: they only keep the door open for the player
-- while somebody else tries passwords. Rows hold hashes alone and may be erased at any time.
CREATE TABLE known_device (
  user_id bigint NOT NULL REFERENCES users (id),
  kind text NOT NULL CHECK (kind IN ('cookie', 'address')),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, kind, hash)
);
CREATE INDEX known_device_age ON known_device (kind, last_seen_at);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON known_device FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, UPDATE, DELETE ON known_device TO portal_app;

-- One authenticator app per player. It counts once a code of it was confirmed.
CREATE TABLE second_factor (
  user_id bigint PRIMARY KEY REFERENCES users (id),
  sealed_secret bytea NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  confirmed_at timestamptz,
  -- The newest 30 s step whose code was taken. No code of it, or of a step before it, is taken again.
  last_step bigint NOT NULL DEFAULT 0
);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON second_factor FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, UPDATE, DELETE ON second_factor TO portal_app;

CREATE TABLE recovery_code (
  user_id bigint NOT NULL REFERENCES second_factor (user_id) ON DELETE CASCADE,
  -- Keyed hash of player and code.
  code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON recovery_code TO portal_app;

-- One row per target: a new code takes the place of the one before, so that only the newest was ever valid.
CREATE TABLE one_time_code (
  channel text NOT NULL CHECK (channel IN ('phone', 'email')),
  -- Keyed hash of the phone, or of player and address: the table names nobody.
  target bytea NOT NULL CHECK (length(target) = 32),
  code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  wrong_tries integer NOT NULL DEFAULT 0,
  verified_at timestamptz,
  spent_at timestamptz,
  -- Tries of the last 24 hours for a target, whatever became of its codes: a new code begins its own five wrong tries
  -- anew, never these.
  tries_today integer NOT NULL DEFAULT 0,
  tries_since timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (channel, target)
);
CREATE INDEX one_time_code_made ON one_time_code (made_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON one_time_code TO portal_app;

-- Messages that players sent to the short code: one row per message, whatever was answered, so that a repeat of it gets the
-- same answer. It is deleted after 30 days.
CREATE TABLE sms_message (
  provider text NOT NULL,
  message_id text NOT NULL,
  -- Keyed hash of the sender: the table names nobody.
  sender bytea NOT NULL CHECK (length(sender) = 32),
  -- Both are set in the transaction that inserts the row: nobody else sees it without them.
  outcome text CHECK (outcome IN ('code', 'help', 'late', 'too-often', 'closed', 'foreign')),
  -- Sealed, since it may hold a code.
  sealed_reply bytea,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (provider, message_id)
);
-- The limits of a phone count its messages that brought a code.
CREATE INDEX sms_message_codes ON sms_message (sender, received_at DESC) WHERE outcome = 'code';
CREATE INDEX sms_message_age ON sms_message (received_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sms_message TO portal_app;

-- A day in Vietnam: codes made by SMS for the numbers that begin alike, and under the empty prefix for all of them.
CREATE TABLE sms_code_day (
  day date NOT NULL,
  prefix text NOT NULL CHECK (prefix ~ '^(84\d{3})?$'),
  sent integer NOT NULL DEFAULT 0,
  verified integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day, prefix)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sms_code_day TO portal_app;

-- Who asked for a link because of a forgotten password, as they typed it: answered alike for all, looked at afterwards.
-- Sealed, since a name and an address stand in it; deleted when it was looked at.
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
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON password_reset FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, UPDATE, DELETE ON password_reset TO portal_app;
