-- Money in: orders, what the providers told us, and the bank transfers behind it.

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

-- The inbox: everything a provider said, stored before anything is decided. Unique only by the provider's own id,
-- so that nothing that arrives is ever refused.
CREATE TABLE payment_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  provider_event_id text NOT NULL,
  signature text NOT NULL CHECK (signature IN ('valid', 'stale')),
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  amount bigint NOT NULL,
  account_number text NOT NULL,
  bank_ref text,
  booked_at timestamptz,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'applied', 'review', 'duplicate', 'stale', 'ignored')),
  reason text,
  bank_transaction_id bigint,
  processed_at timestamptz,
  CONSTRAINT payment_event_once UNIQUE (provider, provider_event_id)
);
CREATE INDEX payment_event_unprocessed ON payment_event (received_at) WHERE status = 'new';
CREATE INDEX payment_event_received ON payment_event (received_at);

-- Bodies name people (payers, phones in memos), so they lie apart and can be erased.
CREATE TABLE payment_event_body (
  event_id bigint PRIMARY KEY REFERENCES payment_event (id),
  raw bytea NOT NULL,
  memo text NOT NULL,
  full_text text NOT NULL,
  code text
);

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
  CONSTRAINT bank_transaction_credit CHECK ((state = 'credited') = (transfer_id IS NOT NULL))
);
CREATE UNIQUE INDEX bank_transaction_once ON bank_transaction (account_number, direction, bank_ref)
  WHERE bank_ref IS NOT NULL;
CREATE INDEX bank_transaction_state ON bank_transaction (state, id DESC);
CREATE INDEX bank_transaction_order ON bank_transaction (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX bank_transaction_user ON bank_transaction (user_id, id DESC) WHERE user_id IS NOT NULL;
ALTER TABLE payment_event ADD FOREIGN KEY (bank_transaction_id) REFERENCES bank_transaction (id);
CREATE INDEX payment_event_transaction ON payment_event (bank_transaction_id) WHERE bank_transaction_id IS NOT NULL;

-- What arrived stays as it arrived; only its handling moves on.
CREATE FUNCTION payment_event_keeps_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.provider, NEW.provider_event_id, NEW.signature, NEW.direction, NEW.amount, NEW.account_number, NEW.received_at)
     IS DISTINCT FROM
     (OLD.provider, OLD.provider_event_id, OLD.signature, OLD.direction, OLD.amount, OLD.account_number, OLD.received_at)
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

GRANT SELECT, INSERT ON payment_order, payment_event, payment_event_body, bank_transaction TO portal_app;
GRANT UPDATE (status, credited, paid_at) ON payment_order TO portal_app;
GRANT UPDATE (status, reason, bank_transaction_id, processed_at) ON payment_event TO portal_app;
GRANT UPDATE (state, reason, order_id, user_id, credited, transfer_id) ON bank_transaction TO portal_app;
GRANT DELETE ON payment_event_body TO portal_app;
