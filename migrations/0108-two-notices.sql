-- expand
-- Both numbers of an account that a notification names, and the payer's, by which two notifications are told apart. A short
-- bank reference may belong to several transfers (docs/decisions/0079): whoever decides about one holds its advisory lock.
-- A program that does not know this leaves what it cannot store to the sweeper of one that does.
ALTER TABLE payment_event ADD COLUMN virtual_account text;
ALTER TABLE payment_event_body ADD COLUMN payer_account text;

DROP INDEX bank_transaction_once;

CREATE OR REPLACE FUNCTION payment_event_keeps_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.provider, NEW.provider_event_id, NEW.signature, NEW.direction, NEW.amount, NEW.account_number,
      NEW.virtual_account, NEW.bank_ref, NEW.booked_at, NEW.received_at)
     IS DISTINCT FROM
     (OLD.id, OLD.provider, OLD.provider_event_id, OLD.signature, OLD.direction, OLD.amount, OLD.account_number,
      OLD.virtual_account, OLD.bank_ref, OLD.booked_at, OLD.received_at)
  THEN
    RAISE EXCEPTION 'the facts of a payment event cannot change' USING ERRCODE = 'CN002';
  END IF;
  RETURN NEW;
END
$$;

-- What was sealed before has no such fact, and keeps its seal.
CREATE OR REPLACE FUNCTION payment_event_digest(event payment_event) RETURNS bytea LANGUAGE sql STABLE
RETURN sha256(convert_to(
  json_build_array(event.id, event.provider, event.provider_event_id, event.signature, event.direction, event.amount,
    event.account_number, event.bank_ref, extract(epoch FROM event.booked_at), extract(epoch FROM event.received_at))::text
    || CASE WHEN event.virtual_account IS NULL THEN '' ELSE json_build_array(event.virtual_account, 'virtual')::text END, 'UTF8'));

CREATE OR REPLACE FUNCTION payment_event_body_digest(body payment_event_body) RETURNS bytea LANGUAGE sql STABLE
RETURN sha256(convert_to(
  json_build_array(body.event_id, encode(body.raw, 'hex'), body.memo, body.full_text, body.code)::text
    || CASE WHEN body.payer_account IS NULL THEN '' ELSE json_build_array(body.payer_account, 'payer')::text END, 'UTF8'));

-- The words of a notification as they are searched for, small letters without marks, and the order code in it, whatever a
-- bank glued to it or cut it into.
CREATE FUNCTION notice_words(memo text, full_text text, code text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('simple', regexp_replace(lower(translate(
  regexp_replace(normalize(left(concat_ws(' ', memo, full_text, code), 2000), NFD), '[\u0300-\u036f]', '', 'g'),
  'Đđ', 'dd')), '[^a-z0-9]+', ' ', 'g')
  || ' ' || coalesce(lower(substring(regexp_replace(upper(left(memo, 2000)), '[^A-Z0-9]', '', 'g')
    FROM 'TCX[A-HJKMNP-Z2-9]{10}')), ''));
