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

ALTER TABLE bank_transfer_act DROP CONSTRAINT bank_transfer_act_act_check;
ALTER TABLE bank_transfer_act ADD CONSTRAINT bank_transfer_act_act_check CHECK (act IN (
  'accept', 'match', 'credit', 'refund', 'refund-at-gateway', 'ignore', 'link-reversal', 'reverse-credit', 'propose',
  'approve', 'reject', 'withdraw'));

GRANT SELECT, INSERT ON gateway_refund TO portal_app;
GRANT UPDATE (state, decided_at, provider_ref, result_code, queries, next_query_at) ON gateway_refund TO portal_app;
