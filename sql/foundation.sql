-- The role of the portal, the installation's own facts, settings, and what modules of every area use.
--
-- Two roles hold the database: the owner runs these files; the portal runs as a member of portal_app, which may
-- touch rows as granted here and never the schema. portal_app itself cannot log in: each database has a login role
-- of its own, made at start (src/server/platform/db/app-role.ts).

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'portal_app') THEN
    CREATE ROLE portal_app NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- another database of this cluster was migrated at the same moment
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO portal_app;
-- Readiness means that every migration was applied.
GRANT SELECT ON schema_migration TO portal_app;

-- Facts of this installation that may not change: whether it was made as a demo, and its secret for keyed hashes.
CREATE TABLE installation (
  name text PRIMARY KEY,
  value text NOT NULL
);
GRANT SELECT ON installation TO portal_app;

-- What operators change while the portal runs.
CREATE TABLE settings (
  key text PRIMARY KEY,
  value text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE ON settings TO portal_app;

-- The worlds of the game. Who saves one says which state was seen (updated_at).
CREATE TABLE servers (
  id text PRIMARY KEY CHECK (id ~ '^[0-9A-Za-z_-]{1,16}$'),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  position integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON servers TO portal_app;

-- Rows that may never change once written. Even the owner is refused; only dropping the trigger lifts it.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'CN002';
END
$$;

-- The day in Vietnam of a moment.
CREATE FUNCTION vietnam_day(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (moment AT TIME ZONE 'Asia/Ho_Chi_Minh')::date;

-- One row per operation a client asked for under its own key. No foreign key to hot rows: the row is claimed
-- first, before any lock. Stored answers are erased after a while, and with the person they name: the key stays, so that
-- its operation is never done a second time, and in place of the answer stands {"erased": true}.
CREATE TABLE idempotency_key (
  scope text NOT NULL CHECK (length(scope) BETWEEN 1 AND 100),
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  request_hash bytea NOT NULL,
  result_type text,
  result_id text,
  status_code integer,
  response jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  answer_erased boolean NOT NULL DEFAULT false,
  PRIMARY KEY (scope, key)
);
-- The oldest answers that are still there. Of the answer itself nothing is in an index, so storing it touches none.
CREATE INDEX idempotency_key_answer_age ON idempotency_key (created_at) WHERE NOT answer_erased;
GRANT SELECT, INSERT, UPDATE ON idempotency_key TO portal_app;

-- Limits that all processes share and restarts keep: counters of rate-limiter-flexible, in its own shape. Keys are keyed
-- hashes: they name nobody.
CREATE TABLE rate_limit (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  -- Unix time in ms.
  expire bigint
);
CREATE INDEX rate_limit_expire ON rate_limit (expire);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limit TO portal_app;

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
CREATE INDEX mail_outbox_failed ON mail_outbox (created_at) WHERE last_error IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_outbox TO portal_app;

-- How often each kind of content was changed: a process that missed the notice of a change finds it here.
CREATE TABLE content_version (
  kind text PRIMARY KEY,
  version bigint NOT NULL DEFAULT 1
);
GRANT SELECT, INSERT, UPDATE ON content_version TO portal_app;
