-- Money in: orders, what the providers told us, the bank transfers behind it, and what players claim.

-- The vendors of payments. The owner of the database fills it from the program's registry at every start, so that a new one
-- is a folder in the program and no migration; the app's role reads it.
CREATE TABLE payment_provider (
  name text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9-]{0,31}$')
);
INSERT INTO payment_provider (name) VALUES ('sepay'), ('casso'), ('payos'), ('momo');
GRANT SELECT ON payment_provider TO portal_app;

CREATE TABLE payment_order (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL UNIQUE CHECK (code ~ '^TCX[A-HJKMNP-Z2-9]{10}$'),
  user_id bigint NOT NULL REFERENCES users (id),
  channel smallint NOT NULL CHECK (channel IN (1, 2, 3)),
  -- VND asked for, and the TCoin each VND buys, as promised when the order was made.
  amount bigint NOT NULL CHECK (amount > 0),
  rate bigint NOT NULL CHECK (rate > 0),
  -- The receiving account as it was shown.
  bank_bin text NOT NULL,
  account_number text NOT NULL,
  account_name text NOT NULL,
  qr text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN (
    'pending', 'paid', 'paid_under', 'paid_over', 'expired', 'cancelled', 'review')),
  credited bigint NOT NULL DEFAULT 0 CHECK (credited >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  paid_at timestamptz
);
CREATE INDEX payment_order_user ON payment_order (user_id, id DESC);
CREATE INDEX payment_order_open ON payment_order (user_id) WHERE status = 'pending';
CREATE INDEX payment_order_expiry ON payment_order (expires_at) WHERE status = 'pending';
-- What a transfer without a code may have been meant for.
CREATE INDEX payment_order_unpaid ON payment_order (account_number, amount, created_at) WHERE credited = 0;
-- The operators' list at two million rows: filters that are used together are answered in one index. The columns behind the
-- order narrow a scan without a look at the table, so that a combination nothing has is found out quickly.
CREATE INDEX payment_order_status ON payment_order (status, id, channel, amount);
CREATE INDEX payment_order_channel ON payment_order (channel, id, status, amount);
CREATE INDEX payment_order_amount ON payment_order (amount, id, status, channel);
-- The search box finds an order while its code is being typed.
CREATE INDEX payment_order_code_prefix ON payment_order (code text_pattern_ops);
GRANT SELECT, INSERT ON payment_order TO portal_app;
-- qr: a gateway's own takes the place of the one drawn before it was asked.
GRANT UPDATE (status, credited, paid_at, qr) ON payment_order TO portal_app;

-- What a provider keeps for one of our orders. The row is written before the provider is asked, so that an answer
-- that never comes leaves something to ask about.
CREATE TABLE payment_checkout (
  order_id bigint PRIMARY KEY REFERENCES payment_order (id),
  provider text NOT NULL,
  -- What the provider calls the order: our code at MoMo, a number at payOS.
  provider_order text NOT NULL,
  request_id text NOT NULL,
  -- Null until the provider has answered.
  pay_url text,
  -- 'asked': whether the order exists there is not known. 'open': it does. 'failed': it never came to be.
  -- 'done': its outcome is known, nothing is asked any more.
  state text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'open', 'failed', 'done')),
  queries integer NOT NULL DEFAULT 0 CHECK (queries >= 0),
  -- While it lies ahead nobody asks. A worker moves it before asking, so that two never ask at once.
  next_query_at timestamptz,
  last_query_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT payment_checkout_provider FOREIGN KEY (provider) REFERENCES payment_provider (name),
  CONSTRAINT payment_checkout_once UNIQUE (provider, provider_order),
  CONSTRAINT payment_checkout_asks CHECK ((next_query_at IS NOT NULL) = (state IN ('asked', 'open')))
);
CREATE INDEX payment_checkout_due ON payment_checkout (next_query_at) WHERE next_query_at IS NOT NULL;
GRANT SELECT, INSERT ON payment_checkout TO portal_app;
GRANT UPDATE (pay_url, state, queries, next_query_at, last_query_at) ON payment_checkout TO portal_app;

-- What operators note about a recharge order; only operators read it, and it goes with the erased player. The order's player
-- stands in the row, so that export and erasure find it by index.
CREATE TABLE order_note (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES payment_order (id),
  user_id bigint NOT NULL REFERENCES users (id),
  author_id bigint NOT NULL REFERENCES users (id),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 1000),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX order_note_order ON order_note (order_id, id);
CREATE INDEX order_note_user ON order_note (user_id, id);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON order_note FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON order_note TO portal_app;

-- One row per transfer at the bank. Two providers that report one transfer meet here.
CREATE TABLE bank_transaction (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_number text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  bank_ref text,
  amount bigint NOT NULL CHECK (amount > 0),
  booked_at timestamptz,
  state text NOT NULL CHECK (state IN ('credited', 'review', 'refunded', 'ignored')),
  reason text,
  order_id bigint REFERENCES payment_order (id),
  user_id bigint REFERENCES users (id),
  -- TCoin given for it and the ledger transfer that gave them.
  credited bigint NOT NULL DEFAULT 0 CHECK (credited >= 0),
  transfer_id bigint UNIQUE REFERENCES ledger_transfer (id),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Which transfer at the bank an outgoing one took back. One each way.
  reversal_of bigint UNIQUE REFERENCES bank_transaction (id),
  CONSTRAINT bank_transaction_credit CHECK ((state = 'credited') = (transfer_id IS NOT NULL)),
  CONSTRAINT bank_transaction_reversal CHECK (reversal_of IS NULL OR (direction = 'out' AND state = 'ignored'))
);
CREATE UNIQUE INDEX bank_transaction_once ON bank_transaction (account_number, direction, bank_ref)
  WHERE bank_ref IS NOT NULL;
CREATE INDEX bank_transaction_order ON bank_transaction (order_id) WHERE order_id IS NOT NULL;
-- Lists are read in the order of arrival, narrowed by one of these; the rest is filtered on the way.
CREATE INDEX bank_transaction_arrival ON bank_transaction (created_at, id);
CREATE INDEX bank_transaction_account ON bank_transaction (account_number, created_at, id);
CREATE INDEX bank_transaction_reason ON bank_transaction (reason, created_at, id) WHERE reason IS NOT NULL;
CREATE INDEX bank_transaction_reference ON bank_transaction (bank_ref) WHERE bank_ref IS NOT NULL;
CREATE INDEX bank_transaction_state ON bank_transaction (state, created_at, id, account_number, amount);
CREATE INDEX bank_transaction_amount ON bank_transaction (amount, created_at, id, state, account_number);
CREATE INDEX bank_transaction_user ON bank_transaction (user_id, created_at, id) WHERE user_id IS NOT NULL;
-- Few leave: among all that arrive they would be looked for one by one.
CREATE INDEX bank_transaction_out ON bank_transaction (created_at, id, state, account_number, amount)
  WHERE direction = 'out';
-- Transfers a claim may be about: the same amount about that time, or the same reference.
CREATE INDEX bank_transaction_claim_amount ON bank_transaction (amount, (coalesce(booked_at, created_at)))
  WHERE direction = 'in';
CREATE INDEX bank_transaction_claim_reference ON bank_transaction (upper(bank_ref))
  WHERE direction = 'in' AND bank_ref IS NOT NULL;
-- A day is found by its bounds in UTC.
CREATE INDEX bank_transaction_day ON bank_transaction ((coalesce(booked_at, created_at)), account_number);
GRANT SELECT, INSERT ON bank_transaction TO portal_app;
GRANT UPDATE (state, reason, order_id, user_id, credited, transfer_id, reversal_of) ON bank_transaction TO portal_app;
-- The row of a credited bank transaction is written once, when the ledger has its movement, whose cause is the row's id.
-- So the portal takes the id first.
GRANT USAGE ON SEQUENCE bank_transaction_id_seq TO portal_app;

-- The inbox: everything a provider said, stored before anything is decided. Unique only by the provider's own id,
-- so that nothing that arrives is ever refused.
CREATE TABLE payment_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  provider_event_id text NOT NULL,
  -- 'pulled': the portal asked for it. Nobody signed it; it came as an answer over the provider's own TLS.
  signature text NOT NULL CHECK (signature IN ('valid', 'stale', 'pulled')),
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  amount bigint NOT NULL,
  account_number text NOT NULL,
  bank_ref text,
  booked_at timestamptz,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'applied', 'review', 'duplicate', 'stale', 'ignored')),
  reason text,
  bank_transaction_id bigint REFERENCES bank_transaction (id),
  processed_at timestamptz,
  CONSTRAINT payment_event_once UNIQUE (provider, provider_event_id)
);
CREATE INDEX payment_event_unprocessed ON payment_event (received_at) WHERE status = 'new';
CREATE INDEX payment_event_received ON payment_event (received_at);
CREATE INDEX payment_event_transaction ON payment_event (bank_transaction_id) WHERE bank_transaction_id IS NOT NULL;
-- Notifications that no transfer in the inbox speaks for: signed too long ago, unreadable, or contradicting another.
CREATE INDEX payment_event_open ON payment_event (id)
  WHERE status = 'stale' OR (status = 'review' AND (bank_transaction_id IS NULL OR reason = 'reference-conflict'));
CREATE INDEX payment_event_day ON payment_event ((coalesce(booked_at, received_at)), account_number);
GRANT SELECT, INSERT ON payment_event TO portal_app;
GRANT UPDATE (status, reason, bank_transaction_id, processed_at) ON payment_event TO portal_app;

-- Bodies name people (payers, phones in memos), so they lie apart and can be erased.
CREATE TABLE payment_event_body (
  event_id bigint PRIMARY KEY REFERENCES payment_event (id),
  raw bytea NOT NULL,
  memo text NOT NULL,
  full_text text NOT NULL,
  code text
);
-- The account that money came from, as far as what the bank wrote names one ("CT tu 0451000123456 NGUYEN VAN A toi …"): who
-- was credited with money from it before is suggested for the next transfer.
CREATE FUNCTION payer_account(memo text, full_text text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN substring(memo || ' ' || full_text FROM '(?i)\m(?:tu|from)\W{1,3}(?:tk|stk|account)?\W{0,3}([0-9]{6,19})\M');
CREATE INDEX payment_event_body_payer
  ON payment_event_body (payer_account(memo, full_text), event_id DESC) WHERE payer_account(memo, full_text) IS NOT NULL;
GRANT SELECT, INSERT, DELETE ON payment_event_body TO portal_app;

-- What arrived stays as it arrived; only its handling moves on.
CREATE FUNCTION payment_event_keeps_facts() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER payment_event_facts BEFORE UPDATE ON payment_event
  FOR EACH ROW EXECUTE FUNCTION payment_event_keeps_facts();
CREATE TRIGGER payment_event_no_delete BEFORE DELETE ON payment_event
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payment_event_no_truncate BEFORE TRUNCATE ON payment_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
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
CREATE TRIGGER payment_event_seal_append_only BEFORE UPDATE OR DELETE ON payment_event_seal
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payment_event_seal_no_truncate BEFORE TRUNCATE ON payment_event_seal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT ON payment_event_seal TO portal_app;

-- The portal's role may read seals and not write them. A seal is made of the row itself: a plan from when the table was
-- nearly empty would read the whole table for each notification.
CREATE FUNCTION seal_payment_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO payment_event_seal (event_id, part, digest) VALUES (NEW.id, 'event', payment_event_digest(NEW));
  RETURN NULL;
END
$$;
CREATE FUNCTION seal_payment_event_bodies() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO payment_event_seal (event_id, part, digest) VALUES (NEW.event_id, 'body', payment_event_body_digest(NEW));
  RETURN NULL;
END
$$;
CREATE TRIGGER payment_event_sealed AFTER INSERT ON payment_event
  FOR EACH ROW EXECUTE FUNCTION seal_payment_events();
CREATE TRIGGER payment_event_body_sealed AFTER INSERT ON payment_event_body
  FOR EACH ROW EXECUTE FUNCTION seal_payment_event_bodies();

-- "I sent money and it was not credited": what a player says, the picture they add, and what they were answered.
CREATE TABLE recharge_claim (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  -- VND, and when they were sent, as the player says.
  amount bigint NOT NULL CHECK (amount > 0),
  paid_at timestamptz NOT NULL,
  bank_reference text CHECK (length(bank_reference) BETWEEN 1 AND 64),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'settled', 'rejected')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  answered_at timestamptz,
  answered_by bigint REFERENCES users (id),
  -- What the player is told.
  message text CHECK (length(message) BETWEEN 1 AND 1000),
  -- The transfer it turned out to be. One transfer answers one claim.
  bank_transaction_id bigint UNIQUE REFERENCES bank_transaction (id),
  CONSTRAINT recharge_claim_answer CHECK (
    (status = 'open') = (answered_at IS NULL)
    AND (status = 'open') = (answered_by IS NULL)
    AND (status = 'open') = (message IS NULL)
    AND (bank_transaction_id IS NULL OR status = 'settled'))
);
CREATE INDEX recharge_claim_user ON recharge_claim (user_id, id DESC);
CREATE INDEX recharge_claim_status ON recharge_claim (status, id);
CREATE INDEX recharge_claim_open_user ON recharge_claim (user_id) WHERE status = 'open';
CREATE INDEX recharge_claim_open_amount ON recharge_claim (amount) WHERE status = 'open';
CREATE INDEX recharge_claim_open ON recharge_claim (created_at) WHERE status = 'open';
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON recharge_claim FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT ON recharge_claim TO portal_app;
GRANT UPDATE (status, answered_at, answered_by, message, bank_transaction_id, bank_reference) ON recharge_claim TO portal_app;

-- A player's own words and picture may name people, so they lie apart and can be erased.
CREATE TABLE recharge_claim_note (
  claim_id bigint PRIMARY KEY REFERENCES recharge_claim (id),
  note text NOT NULL CHECK (length(note) BETWEEN 1 AND 500)
);

-- Drawn anew from what was sent, never the bytes that arrived.
CREATE TABLE recharge_claim_picture (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  claim_id bigint NOT NULL UNIQUE REFERENCES recharge_claim (id),
  content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 8388608),
  width integer NOT NULL CHECK (width > 0),
  height integer NOT NULL CHECK (height > 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- A picture is compressed already; trying again costs time and gains nothing.
ALTER TABLE recharge_claim_picture ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX recharge_claim_picture_created ON recharge_claim_picture (created_at);
GRANT SELECT, INSERT, DELETE ON recharge_claim_note, recharge_claim_picture TO portal_app;
