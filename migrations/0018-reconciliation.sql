-- Asking instead of waiting to be told: orders made at a gateway, what the providers' own lists say, and the daily
-- close, which lays the bank's figures beside ours.

-- An event the portal asked for itself. Nobody signed it; it came as an answer over the provider's own TLS.
ALTER TABLE payment_event DROP CONSTRAINT payment_event_signature_check;
ALTER TABLE payment_event ADD CONSTRAINT payment_event_signature_check
  CHECK (signature IN ('valid', 'stale', 'pulled'));

-- What a provider keeps for one of our orders. The row is written before the provider is asked, so that an answer
-- that never comes leaves something to ask about.
CREATE TABLE payment_checkout (
  order_id bigint PRIMARY KEY REFERENCES payment_order (id),
  provider text NOT NULL CHECK (provider IN ('momo', 'payos')),
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
  CONSTRAINT payment_checkout_once UNIQUE (provider, provider_order),
  CONSTRAINT payment_checkout_asks CHECK ((next_query_at IS NOT NULL) = (state IN ('asked', 'open')))
);
CREATE INDEX payment_checkout_due ON payment_checkout (next_query_at) WHERE next_query_at IS NOT NULL;

-- How far each provider's list has been read, one row per list and receiving account.
CREATE TABLE provider_list (
  provider text NOT NULL CHECK (provider IN ('sepay', 'casso')),
  account_number text NOT NULL,
  -- The last movement known to be with us, as the provider counts them; null before the first whole reading.
  since_id text,
  read_at timestamptz,
  PRIMARY KEY (provider, account_number)
);

-- What a provider's list said about one whole day: the statement a close is compared with.
CREATE TABLE bank_statement_day (
  account_number text NOT NULL,
  day date NOT NULL,
  provider text NOT NULL CHECK (provider IN ('sepay', 'casso')),
  in_count bigint NOT NULL CHECK (in_count >= 0),
  in_vnd bigint NOT NULL CHECK (in_vnd >= 0),
  out_count bigint NOT NULL CHECK (out_count >= 0),
  out_vnd bigint NOT NULL CHECK (out_vnd >= 0),
  -- Rows of the list that could not be read: what they move is not in the figures.
  unreadable bigint NOT NULL CHECK (unreadable >= 0),
  read_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (account_number, day, provider)
);

-- The work of this part that runs by the clock. One process at a time, by a claim that runs out.
CREATE TABLE reconciliation_task (
  name text PRIMARY KEY CHECK (name IN ('pull', 'nightly')),
  due_at timestamptz NOT NULL DEFAULT now(),
  claimed_until timestamptz
);
INSERT INTO reconciliation_task (name) VALUES ('pull'), ('nightly');

-- One receiving account on one day in Vietnam. Made anew while nothing turns; when a close that stood says something
-- else than before, it is kept and a revision is added.
CREATE TABLE daily_close (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_number text NOT NULL,
  day date NOT NULL,
  revision integer NOT NULL CHECK (revision >= 1),
  is_latest boolean NOT NULL DEFAULT true,
  status text NOT NULL CHECK (status IN ('green', 'red')),
  -- Names of what does not agree; empty when the close is green.
  differences text[] NOT NULL,
  -- The bank by its provider's list; null: there is no statement of this day.
  bank_in_count bigint,
  bank_in_vnd bigint,
  bank_out_vnd bigint,
  -- Transfers we know, and those of them that an event tells of in the same amount.
  arrived_count bigint NOT NULL,
  arrived_vnd bigint NOT NULL,
  told_vnd bigint NOT NULL,
  left_vnd bigint NOT NULL,
  -- What became of what arrived.
  credited_vnd bigint NOT NULL,
  review_vnd bigint NOT NULL,
  refunded_vnd bigint NOT NULL,
  ignored_vnd bigint NOT NULL,
  -- TCoin: what the credits should have brought, what the ledger says, and for whom it was booked.
  due_coins bigint NOT NULL,
  ledger_coins bigint NOT NULL,
  order_coins bigint NOT NULL,
  direct_coins bigint NOT NULL,
  -- Events nothing has been decided about, or that stand in no transfer.
  open_events bigint NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT daily_close_revision UNIQUE (account_number, day, revision),
  CONSTRAINT daily_close_green CHECK ((status = 'green') = (differences = '{}')),
  CONSTRAINT daily_close_bank CHECK (num_nulls(bank_in_count, bank_in_vnd, bank_out_vnd) IN (0, 3))
);
CREATE UNIQUE INDEX daily_close_latest ON daily_close (account_number, day DESC) WHERE is_latest;
CREATE INDEX daily_close_days ON daily_close (day DESC, id DESC) WHERE is_latest;
CREATE INDEX daily_close_status ON daily_close (status, day DESC, id DESC) WHERE is_latest;

-- Days that are over and of which something has changed since: their close is made again. Rows are only ever added, one
-- a change: a row per day would make transactions wait for each other, or lock each other out.
CREATE TABLE daily_close_due (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day date NOT NULL
);
CREATE INDEX daily_close_due_day ON daily_close_due (day);

-- A day is found by its bounds in UTC.
CREATE INDEX bank_transaction_day ON bank_transaction ((coalesce(booked_at, created_at)), account_number);
CREATE INDEX payment_event_day ON payment_event ((coalesce(booked_at, received_at)), account_number);

CREATE FUNCTION vietnam_day(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (moment AT TIME ZONE 'Asia/Ho_Chi_Minh')::date;

-- Today's movements only cost the comparison: today has no close yet.
CREATE FUNCTION daily_close_turns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed date;
BEGIN
  IF TG_TABLE_NAME = 'bank_transaction' THEN
    changed := vietnam_day(coalesce(NEW.booked_at, NEW.created_at));
  ELSE
    changed := vietnam_day(coalesce(NEW.booked_at, NEW.received_at));
  END IF;
  IF changed < vietnam_day(clock_timestamp()) THEN
    INSERT INTO daily_close_due (day) VALUES (changed);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER bank_transaction_turns_close AFTER INSERT OR UPDATE OF state ON bank_transaction
  FOR EACH ROW EXECUTE FUNCTION daily_close_turns();
CREATE TRIGGER payment_event_turns_close AFTER INSERT OR UPDATE OF status ON payment_event
  FOR EACH ROW EXECUTE FUNCTION daily_close_turns();

GRANT SELECT, INSERT ON payment_checkout, provider_list, bank_statement_day, daily_close TO portal_app;
GRANT UPDATE (pay_url, state, queries, next_query_at, last_query_at) ON payment_checkout TO portal_app;
GRANT UPDATE (since_id, read_at) ON provider_list TO portal_app;
GRANT UPDATE (in_count, in_vnd, out_count, out_vnd, unreadable, read_at) ON bank_statement_day TO portal_app;
GRANT SELECT ON reconciliation_task TO portal_app;
GRANT UPDATE (due_at, claimed_until) ON reconciliation_task TO portal_app;
GRANT UPDATE (is_latest, made_at) ON daily_close TO portal_app;
GRANT SELECT, INSERT, DELETE ON daily_close_due TO portal_app;
-- A gateway's own QR takes the place of the one drawn before it was asked.
GRANT UPDATE (qr) ON payment_order TO portal_app;
