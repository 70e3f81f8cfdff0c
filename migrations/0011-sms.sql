-- Messages that players sent to the short code, and how many codes were made of them.

-- One row per message, whatever was answered: a repeat of it gets the same answer. It is deleted after 30 days.
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

-- Tries of the last 24 hours for a target, whatever became of its codes: a new code begins its own five wrong tries
-- anew, never these.
ALTER TABLE one_time_code
  ADD COLUMN tries_today integer NOT NULL DEFAULT 0,
  ADD COLUMN tries_since timestamptz NOT NULL DEFAULT clock_timestamp();
