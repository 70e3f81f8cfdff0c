-- What operators do with money that arrived, what the providers' own lists say, and the daily close, which lays the bank's
-- figures beside ours.

-- What operators did with a transfer, in order.
CREATE TABLE bank_transfer_act (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bank_transaction_id bigint NOT NULL REFERENCES bank_transaction (id),
  act text NOT NULL CHECK (act IN (
    'accept', 'match', 'credit', 'refund', 'refund-at-gateway', 'ignore', 'link-reversal', 'reverse-credit', 'propose',
    'approve', 'reject', 'withdraw')),
  operator_id bigint NOT NULL REFERENCES users (id),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 500),
  details jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX bank_transfer_act_transfer ON bank_transfer_act (bank_transaction_id, id);
CREATE TRIGGER bank_transfer_act_append_only BEFORE UPDATE OR DELETE ON bank_transfer_act
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_transfer_act_no_truncate BEFORE TRUNCATE ON bank_transfer_act
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A credit that was taken back: by the bank (then outgoing_id names its transfer) or because it was given wrongly.
CREATE TABLE credit_reversal (
  transfer_id bigint PRIMARY KEY REFERENCES ledger_transfer (id),
  bank_transaction_id bigint NOT NULL REFERENCES bank_transaction (id),
  outgoing_id bigint UNIQUE REFERENCES bank_transaction (id),
  -- TCoin the wallet did not hold any more.
  lent bigint NOT NULL CHECK (lent >= 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX credit_reversal_transfer ON credit_reversal (bank_transaction_id);
CREATE TRIGGER credit_reversal_append_only BEFORE UPDATE OR DELETE ON credit_reversal
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_reversal_no_truncate BEFORE TRUNCATE ON credit_reversal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON bank_transfer_act, credit_reversal TO portal_app;

-- Money that goes back by MoMo's gateway. The row is committed before MoMo is asked, so that an answer that never comes
-- leaves something to ask about, and nothing is sent back twice.
CREATE TABLE gateway_refund (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bank_transaction_id bigint NOT NULL REFERENCES bank_transaction (id),
  -- What MoMo calls it; also the id of the request. Kept, it makes a repeat the same refund.
  refund_order text NOT NULL UNIQUE CHECK (refund_order ~ '^[0-9A-Za-z]{8,40}$'),
  -- VND, within what MoMo sends back at once.
  amount bigint NOT NULL CHECK (amount BETWEEN 1000 AND 50000000),
  -- 'asked': whether it happened is not known. 'done': the money went back. 'failed': it did not, and will not.
  state text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'done', 'failed')),
  asked_by bigint NOT NULL REFERENCES users (id),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 500),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  decided_at timestamptz,
  -- MoMo's own number of the refund, and the code by which it said no.
  provider_ref text,
  result_code integer,
  queries integer NOT NULL DEFAULT 0 CHECK (queries >= 0),
  -- While it lies ahead nobody asks. A worker moves it before asking, so that two never ask at once.
  next_query_at timestamptz,
  CONSTRAINT gateway_refund_decided CHECK ((state = 'asked') = (decided_at IS NULL)),
  CONSTRAINT gateway_refund_asks CHECK ((state = 'asked') = (next_query_at IS NOT NULL)),
  CONSTRAINT gateway_refund_told CHECK ((state = 'done') = (provider_ref IS NOT NULL))
);
-- Two questions at once about one transfer could both be answered with money.
CREATE UNIQUE INDEX gateway_refund_one_asked ON gateway_refund (bank_transaction_id) WHERE state = 'asked';
CREATE INDEX gateway_refund_transfer ON gateway_refund (bank_transaction_id, id);
CREATE INDEX gateway_refund_due ON gateway_refund (next_query_at) WHERE next_query_at IS NOT NULL;
-- The operators' list, narrowed by one of these.
CREATE INDEX gateway_refund_state ON gateway_refund (state, id);
CREATE INDEX gateway_refund_asker ON gateway_refund (asked_by, id);
CREATE INDEX gateway_refund_failed ON gateway_refund (asked_at) WHERE state = 'failed';
GRANT SELECT, INSERT ON gateway_refund TO portal_app;
GRANT UPDATE (state, decided_at, provider_ref, result_code, queries, next_query_at) ON gateway_refund TO portal_app;

-- How far each provider's list has been read, one row per list and receiving account.
CREATE TABLE provider_list (
  provider text NOT NULL,
  account_number text NOT NULL,
  -- The last movement known to be with us, as the provider counts them; null before the first whole reading.
  since_id text,
  read_at timestamptz,
  PRIMARY KEY (provider, account_number),
  CONSTRAINT provider_list_provider FOREIGN KEY (provider) REFERENCES payment_provider (name)
);

-- What a provider's list said about one whole day: the statement a close is compared with.
CREATE TABLE bank_statement_day (
  account_number text NOT NULL,
  day date NOT NULL,
  provider text NOT NULL,
  in_count bigint NOT NULL CHECK (in_count >= 0),
  in_vnd bigint NOT NULL CHECK (in_vnd >= 0),
  out_count bigint NOT NULL CHECK (out_count >= 0),
  out_vnd bigint NOT NULL CHECK (out_vnd >= 0),
  -- Rows of the list that could not be read: what they move is not in the figures.
  unreadable bigint NOT NULL CHECK (unreadable >= 0),
  read_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Its rows, so that a close shows which of them the bank has and we have not, or the reverse: [{"id", "direction",
  -- "amount"}], without what payers wrote. Null: read before this was kept.
  listed jsonb,
  PRIMARY KEY (account_number, day, provider),
  CONSTRAINT bank_statement_day_provider FOREIGN KEY (provider) REFERENCES payment_provider (name)
);
GRANT SELECT, INSERT ON provider_list, bank_statement_day TO portal_app;
GRANT UPDATE (since_id, read_at) ON provider_list TO portal_app;
GRANT UPDATE (in_count, in_vnd, out_count, out_vnd, unreadable, read_at, listed) ON bank_statement_day TO portal_app;

-- The work of this part that runs by the clock. One process at a time, by a claim that runs out.
CREATE TABLE reconciliation_task (
  name text PRIMARY KEY CHECK (name IN ('pull', 'nightly')),
  due_at timestamptz NOT NULL DEFAULT now(),
  claimed_until timestamptz
);
INSERT INTO reconciliation_task (name) VALUES ('pull'), ('nightly');
GRANT SELECT ON reconciliation_task TO portal_app;
GRANT UPDATE (due_at, claimed_until) ON reconciliation_task TO portal_app;

-- One receiving account on one day in Vietnam. Made anew while nothing turns; when a close that stood says something
-- else than before, it is kept and a revision is added.
CREATE TABLE daily_close (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_number text NOT NULL,
  day date NOT NULL,
  revision integer NOT NULL CHECK (revision >= 1),
  is_latest boolean NOT NULL DEFAULT true,
  -- Knows two states. `outcome` takes its place; programs before that go on reading and writing this, and a later contract
  -- migration removes it.
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
  -- A day that nobody compared with the bank is not a day that agrees.
  outcome text GENERATED ALWAYS AS (
    CASE WHEN differences <> '{}' THEN 'red' WHEN bank_in_count IS NULL THEN 'not-compared' ELSE 'green' END) STORED,
  CONSTRAINT daily_close_revision UNIQUE (account_number, day, revision),
  CONSTRAINT daily_close_green CHECK ((status = 'green') = (differences = '{}')),
  CONSTRAINT daily_close_bank CHECK (num_nulls(bank_in_count, bank_in_vnd, bank_out_vnd) IN (0, 3))
);
CREATE UNIQUE INDEX daily_close_latest ON daily_close (account_number, day DESC) WHERE is_latest;
CREATE INDEX daily_close_days ON daily_close (day DESC, id DESC) WHERE is_latest;
CREATE INDEX daily_close_status ON daily_close (status, day DESC, id DESC) WHERE is_latest;
CREATE INDEX daily_close_outcome ON daily_close (outcome, day DESC, id DESC) WHERE is_latest;
GRANT SELECT, INSERT ON daily_close TO portal_app;
GRANT UPDATE (is_latest, made_at) ON daily_close TO portal_app;

-- Days that are over and of which something has changed since: their close is made again. Rows are only ever added, one
-- a change: a row per day would make transactions wait for each other, or lock each other out.
CREATE TABLE daily_close_due (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day date NOT NULL
);
CREATE INDEX daily_close_due_day ON daily_close_due (day);
GRANT SELECT, INSERT, DELETE ON daily_close_due TO portal_app;

-- Today has no close yet: its movements, which are nearly all, do not call the function.
CREATE FUNCTION daily_close_turns() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'bank_transaction' THEN
    INSERT INTO daily_close_due (day) VALUES (vietnam_day(coalesce(NEW.booked_at, NEW.created_at)));
  ELSE
    INSERT INTO daily_close_due (day) VALUES (vietnam_day(coalesce(NEW.booked_at, NEW.received_at)));
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER bank_transaction_turns_close AFTER INSERT OR UPDATE OF state ON bank_transaction
  FOR EACH ROW WHEN (vietnam_day(coalesce(NEW.booked_at, NEW.created_at)) < vietnam_day(clock_timestamp()))
  EXECUTE FUNCTION daily_close_turns();
CREATE TRIGGER payment_event_turns_close AFTER INSERT OR UPDATE OF status ON payment_event
  FOR EACH ROW WHEN (vietnam_day(coalesce(NEW.booked_at, NEW.received_at)) < vietnam_day(clock_timestamp()))
  EXECUTE FUNCTION daily_close_turns();

-- One run of the checks R1–R13: asked for by an operator, by the clock, or made by the command line.
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
GRANT SELECT, INSERT ON reconciliation_run TO portal_app;
GRANT UPDATE (finished_at, took_ms, found, rules) ON reconciliation_run TO portal_app;
