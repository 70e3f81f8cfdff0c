-- expand
-- The audit trail as sixteen chains beside each other, its lines, so that acts at the same moment do not wait for each
-- other: a row is appended to a line that no other transaction is appending to. Once a day a seal is made of the heads of
-- all lines and of the seal before it, so that the days are chained and the lines with them.
--
-- Rows from before have no line. They stay the first chain, which ends at audit_head and is sealed with the others.

-- In the order in which acts take them: one that has the head wants the trail next.
LOCK TABLE audit_head;
ALTER TABLE audit_log ADD COLUMN line smallint;

-- The head of each line, locked by its writer until the end of the transaction.
CREATE TABLE audit_line (
  line smallint PRIMARY KEY CHECK (line BETWEEN 0 AND 15),
  seq bigint NOT NULL,
  hash bytea NOT NULL
);
INSERT INTO audit_line (line, seq, hash)
  SELECT n, 0, sha256(convert_to('cong-ninja audit line ' || n, 'UTF8')) FROM generate_series(0, 15) AS n;

-- In the order of time, nearly: a number is taken a moment before the row's time, and one that was rolled back is missing.
-- Calls of the function of before that were waiting when this ran still append to the first chain, below the start.
CREATE SEQUENCE audit_log_seq;
SELECT setval('audit_log_seq', (SELECT seq FROM audit_head) + 1000);

CREATE TABLE audit_seal (
  number bigint PRIMARY KEY,
  day date NOT NULL UNIQUE,
  at timestamptz NOT NULL,
  -- Of each line, the first chain's without a number: its last row at that moment and the hash of it.
  heads jsonb NOT NULL,
  prev_hash bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE TRIGGER audit_seal_append_only BEFORE UPDATE OR DELETE ON audit_seal
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_seal_no_truncate BEFORE TRUNCATE ON audit_seal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- By this a last seal that was taken away shows.
ALTER TABLE audit_head
  ADD COLUMN seal bigint NOT NULL DEFAULT 0,
  ADD COLUMN seal_hash bytea NOT NULL DEFAULT sha256('cong-ninja audit seal'::bytea);

-- As before (0001), and the line of a row that has one.
CREATE OR REPLACE FUNCTION audit_canonical(entry audit_log) RETURNS bytea
LANGUAGE sql STABLE AS $$
  SELECT convert_to((
    jsonb_build_object(
      'seq', entry.seq,
      'at', to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      'actor_kind', entry.actor_kind, 'actor_id', entry.actor_id, 'action', entry.action,
      'subject_type', entry.subject_type, 'subject_id', entry.subject_id, 'reason', entry.reason,
      'details', entry.details, 'personal_hash', encode(entry.personal_hash, 'hex'),
      'request_id', entry.request_id, 'prev_hash', encode(entry.prev_hash, 'hex')
    ) || CASE WHEN entry.line IS NULL THEN '{}' ELSE jsonb_build_object('line', entry.line) END)::text, 'UTF8')
$$;

-- The same of a seal.
CREATE FUNCTION audit_seal_canonical(made audit_seal) RETURNS bytea
LANGUAGE sql STABLE AS $$
  SELECT convert_to(
    jsonb_build_object(
      'number', made.number, 'day', made.day,
      'at', to_char(made.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      'heads', made.heads, 'prev_hash', encode(made.prev_hash, 'hex')
    )::text, 'UTF8')
$$;

-- Each connection begins at another line and takes the first that is free. A transaction that has a line finds it free, so
-- only one without a line ever waits for one, and only when all are taken.
CREATE OR REPLACE FUNCTION audit_append(
  p_actor_kind text, p_actor_id bigint, p_action text, p_subject_type text, p_subject_id text, p_reason text,
  p_details jsonb, p_personal jsonb, p_personal_hash bytea, p_request_id text
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  head audit_line;
  entry audit_log;
BEGIN
  SELECT * INTO head FROM audit_line ORDER BY (line - pg_backend_pid()) & 15 LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT * INTO STRICT head FROM audit_line WHERE line = pg_backend_pid() & 15 FOR NO KEY UPDATE;
  END IF;
  entry := ROW(nextval('audit_log_seq'), clock_timestamp(), p_actor_kind, p_actor_id, p_action, p_subject_type,
    p_subject_id, p_reason, p_details, p_personal_hash, p_request_id, head.hash, ''::bytea, head.line);
  entry.hash := sha256(head.hash || audit_canonical(entry));
  INSERT INTO audit_log SELECT entry.*;
  IF p_personal IS NOT NULL THEN
    INSERT INTO audit_personal (seq, content) VALUES (entry.seq, p_personal);
  END IF;
  UPDATE audit_line SET seq = entry.seq, hash = entry.hash WHERE line = entry.line;
  RETURN entry.seq;
END
$$;

-- Makes the seal of the day in Vietnam; answers it, or null when the day has one. It reads all heads in one
-- statement and locks none of them: a row that is not yet committed is in the next seal.
CREATE FUNCTION audit_seal_day() RETURNS audit_seal
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  last audit_head;
  made audit_seal;
BEGIN
  SELECT * INTO STRICT last FROM audit_head FOR NO KEY UPDATE;
  made := ROW(last.seal + 1, vietnam_day(clock_timestamp()), clock_timestamp(), NULL, last.seal_hash, ''::bytea);
  IF EXISTS (SELECT FROM audit_seal WHERE day >= made.day) THEN
    RETURN NULL;
  END IF;
  SELECT jsonb_agg(jsonb_build_object('line', line, 'seq', seq, 'hash', encode(hash, 'hex')) ORDER BY line NULLS FIRST)
    INTO made.heads
    FROM (SELECT NULL AS line, seq, hash FROM audit_head UNION ALL SELECT line, seq, hash FROM audit_line) AS head;
  made.hash := sha256(made.prev_hash || audit_seal_canonical(made));
  INSERT INTO audit_seal SELECT made.*;
  UPDATE audit_head SET seal = made.number, seal_hash = made.hash;
  RETURN made;
END
$$;
REVOKE ALL ON FUNCTION audit_seal_day FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_seal_day TO portal_app;
GRANT SELECT ON audit_line, audit_seal TO portal_app;

-- Until which seal the last check found nothing, so that the next one reads on from there; and when all was last read.
ALTER TABLE stored_check
  ADD COLUMN verified_seal bigint NOT NULL DEFAULT 0,
  ADD COLUMN whole_at timestamptz;
-- A program of before knows no lines and would call their rows faults: while it is replaced it makes no check of its own.
UPDATE stored_check SET started_at = now() WHERE name = 'audit-chain' AND checked_at IS NOT NULL;

-- They name tables, which have to be those of this schema whoever fires them.
ALTER FUNCTION ledger_transfer_is_balanced() SET search_path = pg_catalog, public;
ALTER FUNCTION refuse_erased_user() SET search_path = pg_catalog, public;
ALTER FUNCTION daily_close_turns() SET search_path = pg_catalog, public;
