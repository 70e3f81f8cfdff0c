-- The operators' inbox: what they do with money that arrived, second persons, and credits that are taken back.

-- What a player owes. Money that went back to the payer was spent meanwhile: the missing TCoin are lent, so that the
-- whole credit can be taken back from a wallet that never goes below zero. A debt is what the house is owed, so its
-- balance is never above zero, as house_recharge's is not; what is owed is its opposite.
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_debt CHECK (
  kind <> 'receivable' OR (may_overdraw AND balance <= 0));

CREATE OR REPLACE FUNCTION ledger_open_account(p_kind text, p_user_id bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  opened bigint;
BEGIN
  INSERT INTO ledger_account (id, kind, user_id, may_overdraw)
    VALUES (nextval('ledger_account_id_seq'), p_kind, p_user_id, p_kind = 'receivable')
    ON CONFLICT (user_id, kind) DO NOTHING
    RETURNING id INTO opened;
  IF opened IS NULL THEN
    SELECT id INTO STRICT opened FROM ledger_account WHERE user_id = p_user_id AND kind = p_kind;
  END IF;
  RETURN opened;
END
$$;

ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_kind_check;
ALTER TABLE ledger_transfer ADD CONSTRAINT ledger_transfer_kind_check CHECK (kind IN (
  'recharge', 'p2p', 'activation', 'exchange_hold', 'exchange_settle', 'exchange_refund', 'gift_hold', 'gift_settle',
  'gift_refund', 'adjustment', 'reversal', 'debt', 'debt_settle'));

-- Which transfer at the bank an outgoing one took back. One each way.
ALTER TABLE bank_transaction ADD COLUMN reversal_of bigint UNIQUE REFERENCES bank_transaction (id);
ALTER TABLE bank_transaction ADD CONSTRAINT bank_transaction_reversal CHECK (
  reversal_of IS NULL OR (direction = 'out' AND state = 'ignored'));
GRANT UPDATE (reversal_of) ON bank_transaction TO portal_app;

-- Lists are read in the order of arrival, narrowed by one of these; the rest is filtered on the way.
DROP INDEX bank_transaction_state;
CREATE INDEX bank_transaction_state ON bank_transaction (state, created_at, id);
CREATE INDEX bank_transaction_arrival ON bank_transaction (created_at, id);
CREATE INDEX bank_transaction_account ON bank_transaction (account_number, created_at, id);
CREATE INDEX bank_transaction_amount ON bank_transaction (amount, created_at, id);
CREATE INDEX bank_transaction_reason ON bank_transaction (reason, created_at, id) WHERE reason IS NOT NULL;
CREATE INDEX bank_transaction_reference ON bank_transaction (bank_ref) WHERE bank_ref IS NOT NULL;
-- Notifications that no transfer in the inbox speaks for: signed too long ago, unreadable, or contradicting another.
CREATE INDEX payment_event_open ON payment_event (id)
  WHERE status = 'stale' OR (status = 'review' AND (bank_transaction_id IS NULL OR reason = 'reference-conflict'));
CREATE INDEX payment_order_status ON payment_order (status, id);
CREATE INDEX payment_order_channel ON payment_order (channel, id);
CREATE INDEX payment_order_amount ON payment_order (amount, id);
-- What a transfer without a code may have been meant for.
CREATE INDEX payment_order_unpaid ON payment_order (account_number, amount, created_at) WHERE credited = 0;

-- What operators did with a transfer, in order.
CREATE TABLE bank_transfer_act (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bank_transaction_id bigint NOT NULL REFERENCES bank_transaction (id),
  act text NOT NULL CHECK (act IN (
    'accept', 'match', 'credit', 'refund', 'ignore', 'link-reversal', 'reverse-credit', 'propose', 'approve', 'reject',
    'withdraw')),
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

-- An act that waits for a second person. At most one for a transfer at a time.
CREATE TABLE bank_transfer_proposal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bank_transaction_id bigint NOT NULL REFERENCES bank_transaction (id),
  act text NOT NULL CHECK (act IN ('match', 'credit', 'reverse-credit')),
  order_id bigint REFERENCES payment_order (id),
  user_id bigint NOT NULL REFERENCES users (id),
  -- TCoin per VND and TCoin, as both persons agree to them.
  rate bigint NOT NULL CHECK (rate > 0),
  coins bigint NOT NULL CHECK (coins > 0),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 500),
  proposed_by bigint NOT NULL REFERENCES users (id),
  proposed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'rejected', 'withdrawn')),
  decided_by bigint REFERENCES users (id),
  decided_at timestamptz,
  CONSTRAINT bank_transfer_proposal_order CHECK ((act = 'match') = (order_id IS NOT NULL)),
  CONSTRAINT bank_transfer_proposal_decided CHECK (
    (state = 'waiting') = (decided_by IS NULL) AND (state = 'waiting') = (decided_at IS NULL)),
  -- The second person is another person, whatever roles they hold; only the proposer withdraws.
  CONSTRAINT bank_transfer_proposal_second_person CHECK (
    CASE state WHEN 'approved' THEN decided_by <> proposed_by
               WHEN 'rejected' THEN decided_by <> proposed_by
               WHEN 'withdrawn' THEN decided_by = proposed_by
               ELSE true END)
);
CREATE UNIQUE INDEX bank_transfer_proposal_one_waiting ON bank_transfer_proposal (bank_transaction_id)
  WHERE state = 'waiting';
CREATE INDEX bank_transfer_proposal_transfer ON bank_transfer_proposal (bank_transaction_id, id);

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

GRANT SELECT, INSERT ON bank_transfer_act, bank_transfer_proposal, credit_reversal TO portal_app;
GRANT UPDATE (state, decided_by, decided_at) ON bank_transfer_proposal TO portal_app;
