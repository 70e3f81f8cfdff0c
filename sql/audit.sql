-- The audit trail: who did what to which subject, chained by hash so that a row cannot be taken out or changed
-- unseen. It holds ids and business values only. What may name a person (addresses, phones, free text) lies in
-- audit_personal, which can be erased; the chain holds only its keyed hash.
--
-- It is sixteen chains beside each other, its lines, so that acts at the same moment do not wait for each other: a row is
-- appended to a line that no other transaction is appending to. Once a day a seal is made of the heads of all lines and of
-- the seal before it, so that the days are chained and the lines with them. Rows from before there were lines have none:
-- they are the first chain, which ends at audit_head and is sealed with the others.

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
  hash bytea NOT NULL,
  line smallint
);
CREATE INDEX audit_log_subject ON audit_log (subject_type, subject_id, seq);
CREATE INDEX audit_log_actor ON audit_log (actor_id, seq);
-- As operators read it: by action, by kind of subject, by request and by time, always in the order it was written.
CREATE INDEX audit_log_action ON audit_log (action, seq);
CREATE INDEX audit_log_subject_type ON audit_log (subject_type, seq);
CREATE INDEX audit_log_request ON audit_log (request_id, seq) WHERE request_id IS NOT NULL;
CREATE INDEX audit_log_at ON audit_log (at, seq);
-- What one person did of one kind, and a subject without its type.
CREATE INDEX audit_log_actor_action ON audit_log (actor_id, action, seq);
CREATE INDEX audit_log_subject_id ON audit_log (subject_id, seq);
-- Who does what is no accident: without this PostgreSQL expects every pair of a common actor and a common action often.
CREATE STATISTICS audit_log_actor_action_pairs (mcv) ON actor_id, action FROM audit_log;
-- A line of the trail from any of its rows on, in its order.
CREATE INDEX audit_log_line ON audit_log (line, seq);
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE audit_personal (
  seq bigint PRIMARY KEY REFERENCES audit_log (seq),
  content jsonb NOT NULL
);

-- One row: the end of the first chain, and the last seal, by which one that was taken away shows.
CREATE TABLE audit_head (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  seq bigint NOT NULL,
  hash bytea NOT NULL,
  seal bigint NOT NULL DEFAULT 0,
  seal_hash bytea NOT NULL DEFAULT sha256('cong-ninja audit seal'::bytea)
);
INSERT INTO audit_head (seq, hash) VALUES (0, sha256('cong-ninja audit'::bytea));

-- The head of each line, locked by its writer until the end of the transaction.
CREATE TABLE audit_line (
  line smallint PRIMARY KEY CHECK (line BETWEEN 0 AND 15),
  seq bigint NOT NULL,
  hash bytea NOT NULL
);
INSERT INTO audit_line (line, seq, hash)
  SELECT n, 0, sha256(convert_to('cong-ninja audit line ' || n, 'UTF8')) FROM generate_series(0, 15) AS n;

-- In the order of time, nearly: a number is taken a moment before the row's time, and one that was rolled back is missing.
CREATE SEQUENCE audit_log_seq;
-- Numbers below were those of the first chain.
SELECT setval('audit_log_seq', 1000);

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

-- What a row's hash covers, as one text, with the line of a row that has one. Also used to check the chain.
CREATE FUNCTION audit_canonical(entry audit_log) RETURNS bytea
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
CREATE FUNCTION audit_append(
  p_actor_kind text, p_actor_id bigint, p_action text, p_subject_type text, p_subject_id text, p_reason text,
  p_details jsonb, p_personal jsonb, p_personal_hash bytea, p_request_id text
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- The personal parts of the audit trail are erased after 24 months. The portal may not delete them as it likes: this
-- function decides by the age of the trail's row, so that nobody can take away what names who did a recent act.
CREATE FUNCTION audit_erase_personal(p_limit integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  erased integer;
BEGIN
  -- The trail is in the order of time, so only the first rows that are left are ever read.
  WITH oldest AS (SELECT seq FROM audit_personal ORDER BY seq LIMIT p_limit)
  DELETE FROM audit_personal p USING oldest, audit_log a
   WHERE p.seq = oldest.seq AND a.seq = p.seq AND a.at < now() - interval '24 months';
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END
$$;

-- Whether one of these names stands in a personal part as a value of its own.
CREATE FUNCTION names_one_of(content jsonb, names text[]) RETURNS boolean LANGUAGE sql STABLE
  RETURN EXISTS (SELECT FROM unnest(names) AS name WHERE strpos(lower(content::text), lower(to_json(name)::text)) > 0);

-- Erases personal parts of the trail: of acts of this person and on them, on their claims, and those of lists and
-- tournaments in which one of `p_names` stands. Only when the trail says that the person was erased, which nobody can take
-- out of it again; the chain holds the hash of what is gone and stays whole. One statement for each index of the trail:
-- together they would be looked for from end to end.
CREATE FUNCTION audit_erase_personal_of(p_user_id bigint, p_names text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  rows_of bigint[];
BEGIN
  IF NOT EXISTS (
    SELECT FROM audit_log WHERE subject_type = 'user' AND subject_id = p_user_id::text AND action = 'users.erase')
  THEN
    RAISE EXCEPTION 'user % was not erased', p_user_id USING ERRCODE = 'CN002';
  END IF;
  SELECT array_agg(seq) INTO rows_of FROM (
    SELECT seq FROM audit_log WHERE subject_type = 'user' AND subject_id = p_user_id::text
    UNION ALL
    SELECT seq FROM audit_log WHERE actor_id = p_user_id AND actor_kind = 'user'
    UNION ALL
    SELECT a.seq FROM recharge_claim c
      JOIN audit_log a ON a.subject_type = 'recharge_claim' AND a.subject_id = c.id::text
     WHERE c.user_id = p_user_id
    UNION ALL
    SELECT p.seq FROM audit_log a JOIN audit_personal p ON p.seq = a.seq
     WHERE a.subject_type = 'tournament' AND names_one_of(p.content, p_names)
    UNION ALL
    SELECT p.seq FROM audit_log a JOIN audit_personal p ON p.seq = a.seq
     WHERE a.subject_id = 'csv' AND names_one_of(p.content, p_names)) AS found;
  DELETE FROM audit_personal WHERE seq = ANY (rows_of);
END
$$;

REVOKE ALL ON FUNCTION audit_append, audit_seal_day, audit_erase_personal, audit_erase_personal_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_append, audit_seal_day, audit_erase_personal, audit_erase_personal_of TO portal_app;
GRANT SELECT ON audit_log, audit_personal, audit_head, audit_line, audit_seal TO portal_app;

-- The last run of a check that reads everything, so that an alarm only reads its outcome. From `verified_seal` on the next
-- one reads; `whole_at` is when all was last read; the first place at which the last check found the trail broken is the
-- number of a row, of a fault `seal` that of a seal.
CREATE TABLE stored_check (
  name text PRIMARY KEY CHECK (name = 'audit-chain'),
  started_at timestamptz NOT NULL DEFAULT '-infinity',
  checked_at timestamptz,
  faults bigint NOT NULL DEFAULT 0 CHECK (faults >= 0),
  verified_seal bigint NOT NULL DEFAULT 0,
  whole_at timestamptz,
  first_fault text CHECK (first_fault IN ('link', 'hash', 'head', 'seal', 'personal')),
  first_place bigint,
  CONSTRAINT stored_check_first CHECK ((first_fault IS NULL) = (first_place IS NULL))
);
INSERT INTO stored_check (name) VALUES ('audit-chain');
GRANT SELECT, UPDATE ON stored_check TO portal_app;
