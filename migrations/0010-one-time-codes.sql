-- Limits that all processes share and restarts keep, one-time codes, and mail that waits to be sent.

-- Counters of rate-limiter-flexible, in its own shape. Keys are keyed hashes: they name nobody.
CREATE TABLE rate_limit (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  -- Unix time in ms.
  expire bigint
);
CREATE INDEX rate_limit_expire ON rate_limit (expire);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limit TO portal_app;

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
  PRIMARY KEY (channel, target)
);
CREATE INDEX one_time_code_made ON one_time_code (made_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON one_time_code TO portal_app;

-- Mail in the order it was asked for. What is to be said is sealed, since it holds addresses, codes and links; the row
-- is deleted when the mail server has taken it.
CREATE TABLE mail_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind ~ '^[a-z-]{1,40}$'),
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempt integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_until timestamptz,
  last_error text
);
CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_outbox TO portal_app;
