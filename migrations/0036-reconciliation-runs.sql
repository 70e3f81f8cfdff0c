-- Payment events are sealed as they arrive, and what the checks of the books found is kept.

-- What arrived stays as it arrived: now also the bank's reference and the moment of booking.
CREATE OR REPLACE FUNCTION payment_event_keeps_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.provider, NEW.provider_event_id, NEW.signature, NEW.direction, NEW.amount, NEW.account_number,
      NEW.bank_ref, NEW.booked_at, NEW.received_at)
     IS DISTINCT FROM
     (OLD.id, OLD.provider, OLD.provider_event_id, OLD.signature, OLD.direction, OLD.amount, OLD.account_number,
      OLD.bank_ref, OLD.booked_at, OLD.received_at)
  THEN
    RAISE EXCEPTION 'the facts of a payment event cannot change' USING ERRCODE = 'CN002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER payment_event_body_facts BEFORE UPDATE ON payment_event_body
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A moment as a number: its text would depend on the time zone of the session.
CREATE FUNCTION payment_event_digest(event payment_event) RETURNS bytea LANGUAGE sql STABLE
  RETURN sha256(convert_to(json_build_array(event.id, event.provider, event.provider_event_id, event.signature,
    event.direction, event.amount, event.account_number, event.bank_ref, extract(epoch FROM event.booked_at),
    extract(epoch FROM event.received_at))::text, 'UTF8'));
CREATE FUNCTION payment_event_body_digest(body payment_event_body) RETURNS bytea LANGUAGE sql STABLE
  RETURN sha256(convert_to(json_build_array(body.event_id, encode(body.raw, 'hex'), body.memo, body.full_text,
    body.code)::text, 'UTF8'));

-- What was stored, apart from the rows themselves, so that a row that was changed or removed is found (R12). Without a
-- foreign key: a seal outlives its event. A body is erased one day; its seal stays and then seals nothing.
CREATE TABLE payment_event_seal (
  event_id bigint NOT NULL,
  part text NOT NULL CHECK (part IN ('event', 'body')),
  digest bytea NOT NULL,
  PRIMARY KEY (event_id, part)
);
INSERT INTO payment_event_seal (event_id, part, digest)
  SELECT event.id, 'event', payment_event_digest(event) FROM payment_event event
  UNION ALL SELECT body.event_id, 'body', payment_event_body_digest(body) FROM payment_event_body body;
CREATE TRIGGER payment_event_seal_append_only BEFORE UPDATE OR DELETE ON payment_event_seal
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payment_event_seal_no_truncate BEFORE TRUNCATE ON payment_event_seal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The portal's role may read seals and not write them.
CREATE FUNCTION seal_payment_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO payment_event_seal (event_id, part, digest)
    SELECT event.id, 'event', payment_event_digest(event) FROM payment_event event JOIN arrived USING (id);
  RETURN NULL;
END
$$;
CREATE FUNCTION seal_payment_event_bodies() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO payment_event_seal (event_id, part, digest)
    SELECT body.event_id, 'body', payment_event_body_digest(body)
      FROM payment_event_body body JOIN arrived USING (event_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER payment_event_sealed AFTER INSERT ON payment_event REFERENCING NEW TABLE AS arrived
  FOR EACH STATEMENT EXECUTE FUNCTION seal_payment_events();
CREATE TRIGGER payment_event_body_sealed AFTER INSERT ON payment_event_body REFERENCING NEW TABLE AS arrived
  FOR EACH STATEMENT EXECUTE FUNCTION seal_payment_event_bodies();

-- One run of the checks R1–R12: asked for by an operator, by the clock, or made by the command line.
CREATE TABLE reconciliation_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  origin text NOT NULL CHECK (origin IN ('daily', 'console', 'command')),
  asked_by bigint REFERENCES users (id),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Null while it waits or runs.
  finished_at timestamptz,
  took_ms bigint CHECK (took_ms >= 0),
  -- How many rows break a rule, and of each rule how many and which of them; null when it came to no end.
  found bigint CHECK (found >= 0),
  rules jsonb,
  CONSTRAINT reconciliation_run_asker CHECK ((origin = 'console') = (asked_by IS NOT NULL)),
  CONSTRAINT reconciliation_run_outcome CHECK (
    num_nulls(took_ms, found, rules) IN (0, 3) AND (finished_at IS NOT NULL OR found IS NULL))
);
CREATE UNIQUE INDEX reconciliation_run_one_at_a_time ON reconciliation_run ((true)) WHERE finished_at IS NULL;
GRANT SELECT ON payment_event_seal TO portal_app;
GRANT SELECT, INSERT ON reconciliation_run TO portal_app;
GRANT UPDATE (finished_at, took_ms, found, rules) ON reconciliation_run TO portal_app;

-- The runs are the one place where the outcome of these checks stands; what is left is the check of the audit trail.
DELETE FROM stored_check WHERE name = 'ledger';
ALTER TABLE stored_check DROP CONSTRAINT stored_check_name_check;
ALTER TABLE stored_check ADD CONSTRAINT stored_check_name_check CHECK (name = 'audit-chain');
