-- The roles, the installation's own facts, settings, and the audit trail.
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

CREATE TABLE settings (
  key text PRIMARY KEY,
  value text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE ON settings TO portal_app;

CREATE TABLE servers (
  id text PRIMARY KEY CHECK (id ~ '^[0-9A-Za-z_-]{1,16}$'),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  position integer NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE, DELETE ON servers TO portal_app;

-- Rows that may never change once written. Even the owner is refused; only dropping the trigger lifts it.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'CN002';
END
$$;

-- The audit trail: who did what to which subject, chained by hash so that a row cannot be taken out or changed
-- unseen. It holds ids and business values only. What may name a person (addresses, phones, free text) lies in
-- audit_personal, which can be erased; the chain holds only its keyed hash.
CREATE TABLE audit_log (
  seq bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('system', 'user', 'operator')),
  actor_id bigint,
  action text NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  reason text,
  details jsonb NOT NULL,
  personal_hash bytea,
  request_id text,
  prev_hash bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE INDEX audit_log_subject ON audit_log (subject_type, subject_id, seq);
CREATE INDEX audit_log_actor ON audit_log (actor_id, seq);
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE audit_personal (
  seq bigint PRIMARY KEY REFERENCES audit_log (seq),
  content jsonb NOT NULL
);

-- One row, locked by each writer in turn: it makes seq gapless and the chain a line.
CREATE TABLE audit_head (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  seq bigint NOT NULL,
  hash bytea NOT NULL
);
INSERT INTO audit_head (seq, hash) VALUES (0, sha256('cong-ninja audit'::bytea));

-- What a row's hash covers, as one text. Also used to check the chain.
CREATE FUNCTION audit_canonical(entry audit_log) RETURNS bytea
LANGUAGE sql STABLE AS $$
  SELECT convert_to(
    jsonb_build_object(
      'seq', entry.seq,
      'at', to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      'actor_kind', entry.actor_kind, 'actor_id', entry.actor_id, 'action', entry.action,
      'subject_type', entry.subject_type, 'subject_id', entry.subject_id, 'reason', entry.reason,
      'details', entry.details, 'personal_hash', encode(entry.personal_hash, 'hex'),
      'request_id', entry.request_id, 'prev_hash', encode(entry.prev_hash, 'hex')
    )::text, 'UTF8')
$$;

CREATE FUNCTION audit_append(
  p_actor_kind text, p_actor_id bigint, p_action text, p_subject_type text, p_subject_id text, p_reason text,
  p_details jsonb, p_personal jsonb, p_personal_hash bytea, p_request_id text
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  head audit_head;
  entry audit_log;
BEGIN
  SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
  entry := ROW(head.seq + 1, clock_timestamp(), p_actor_kind, p_actor_id, p_action, p_subject_type, p_subject_id,
    p_reason, p_details, p_personal_hash, p_request_id, head.hash, ''::bytea);
  entry.hash := sha256(head.hash || audit_canonical(entry));
  INSERT INTO audit_log SELECT entry.*;
  IF p_personal IS NOT NULL THEN
    INSERT INTO audit_personal (seq, content) VALUES (entry.seq, p_personal);
  END IF;
  UPDATE audit_head SET seq = entry.seq, hash = entry.hash;
  RETURN entry.seq;
END
$$;
REVOKE ALL ON FUNCTION audit_append FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_append TO portal_app;
GRANT SELECT ON audit_log, audit_personal, audit_head TO portal_app;
