-- Who signed in, from where and with what; and the second factor.

-- Where a session was opened, as a country, `private` or `unknown`: what its owner is shown. The address itself is
-- kept nowhere.
ALTER TABLE sessions ADD COLUMN place text NOT NULL DEFAULT 'unknown'
  CHECK (place ~ '^([A-Z]{2}|private|unknown)$');
-- When the second factor was proved in this session; operator calls want it.
ALTER TABLE sessions ADD COLUMN second_factor_at timestamptz;
-- Whether the password it stands on was seen to be as long as an operator's has to be.
ALTER TABLE sessions ADD COLUMN is_password_long boolean NOT NULL DEFAULT false;

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
GRANT SELECT, INSERT, DELETE ON sign_in TO portal_app;

-- One authenticator app per player. It counts once a code of it was confirmed.
CREATE TABLE second_factor (
  user_id bigint PRIMARY KEY REFERENCES users (id),
  sealed_secret bytea NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  confirmed_at timestamptz,
  -- The newest 30 s step whose code was taken. No code of it, or of a step before it, is taken again.
  last_step bigint NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE, DELETE ON second_factor TO portal_app;

CREATE TABLE recovery_code (
  user_id bigint NOT NULL REFERENCES second_factor (user_id) ON DELETE CASCADE,
  -- Keyed hash of player and code.
  code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON recovery_code TO portal_app;
