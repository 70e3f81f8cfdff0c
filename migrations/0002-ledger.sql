-- The ledger: double entry, append-only, whole numbers. Only ledger_post() and ledger_open_account() write here.
--
-- An amount moves from the debit account to the credit account: the debit account's balance falls, the credit
-- account's rises. Money comes into being by debiting house_recharge, so the sum of all balances is always 0.

CREATE TABLE ledger_account (
  -- Wallets count up from 1; house accounts have the highest ids, so that locking in id order takes the hot rows last.
  id bigint PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN (
    'user_wallet', 'receivable', 'house_recharge', 'house_revenue', 'house_gift', 'delivery_hold', 'suspense',
    'promotion', 'adjustment')),
  user_id bigint,
  balance bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0,
  may_overdraw boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ledger_account_owner CHECK ((user_id IS NOT NULL) = (kind IN ('user_wallet', 'receivable'))),
  CONSTRAINT ledger_account_no_overdraft CHECK (may_overdraw OR balance >= 0),
  -- Above 9e15 a JSON number is no longer exact.
  CONSTRAINT ledger_account_exact CHECK (abs(balance) <= 9000000000000000),
  CONSTRAINT ledger_account_one_each UNIQUE NULLS NOT DISTINCT (user_id, kind)
);
CREATE SEQUENCE ledger_account_id_seq MAXVALUE 8999999999999999 OWNED BY ledger_account.id;

INSERT INTO ledger_account (id, kind, may_overdraw) VALUES
  (9000000000000001, 'adjustment', true),
  (9000000000000002, 'promotion', true),
  (9000000000000003, 'suspense', true),
  (9000000000000004, 'house_gift', false),
  (9000000000000005, 'house_revenue', false),
  (9000000000000006, 'delivery_hold', false),
  (9000000000000007, 'house_recharge', true);

CREATE TABLE ledger_transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN (
    'recharge', 'p2p', 'activation', 'exchange_hold', 'exchange_settle', 'exchange_refund', 'gift_hold',
    'gift_settle', 'gift_refund', 'adjustment', 'reversal')),
  debit_account bigint NOT NULL REFERENCES ledger_account (id),
  credit_account bigint NOT NULL REFERENCES ledger_account (id),
  amount bigint NOT NULL CHECK (amount > 0 AND amount <= 9000000000000000),
  -- What caused it; unique, so that one payment is credited once and one order held, settled or refunded once.
  source_type text NOT NULL,
  source_id text NOT NULL,
  reverses_id bigint UNIQUE REFERENCES ledger_transfer (id),
  actor_user_id bigint,
  actor_operator_id bigint,
  request_id text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT ledger_transfer_two_accounts CHECK (debit_account <> credit_account),
  CONSTRAINT ledger_transfer_one_per_source UNIQUE (kind, source_type, source_id)
);
CREATE INDEX ledger_transfer_created ON ledger_transfer (created_at);
CREATE INDEX ledger_transfer_source ON ledger_transfer (source_type, source_id);

-- Per account a gapless chain: (account, 1), (account, 2) … each starting at the balance where the last one ended.
CREATE TABLE ledger_entry (
  account_id bigint NOT NULL REFERENCES ledger_account (id),
  account_version bigint NOT NULL,
  transfer_id bigint NOT NULL REFERENCES ledger_transfer (id),
  kind text NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  balance_before bigint NOT NULL,
  balance_after bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, account_version),
  CONSTRAINT ledger_entry_one_side UNIQUE (transfer_id, account_id),
  CONSTRAINT ledger_entry_adds_up CHECK (balance_after = balance_before + amount)
);
-- The statement filtered by kind, by day, and sorted by amount. House accounts have millions of entries and no
-- statement of this shape, so they stay out.
CREATE INDEX ledger_entry_kind ON ledger_entry (account_id, kind, account_version)
  WHERE account_id < 9000000000000000;
CREATE INDEX ledger_entry_created ON ledger_entry (account_id, created_at)
  WHERE account_id < 9000000000000000;
CREATE INDEX ledger_entry_amount ON ledger_entry (account_id, amount, account_version)
  WHERE account_id < 9000000000000000;

CREATE TRIGGER ledger_transfer_append_only BEFORE UPDATE OR DELETE ON ledger_transfer
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transfer_no_truncate BEFORE TRUNCATE ON ledger_transfer
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Last check before commit: a transfer has exactly its two entries, and they cancel out.
CREATE FUNCTION ledger_transfer_is_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  good boolean;
BEGIN
  SELECT count(*) = 2 AND sum(amount) = 0
     AND bool_and((account_id = NEW.debit_account AND amount = -NEW.amount)
               OR (account_id = NEW.credit_account AND amount = NEW.amount))
    INTO good
    FROM ledger_entry WHERE transfer_id = NEW.id;
  IF good IS NOT TRUE THEN
    RAISE EXCEPTION 'ledger transfer % is not balanced', NEW.id USING ERRCODE = 'CN003';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER ledger_transfer_balanced AFTER INSERT ON ledger_transfer
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_is_balanced();

-- Opens the account of a player, or answers the one there is.
CREATE FUNCTION ledger_open_account(p_kind text, p_user_id bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  opened bigint;
BEGIN
  INSERT INTO ledger_account (id, kind, user_id)
    VALUES (nextval('ledger_account_id_seq'), p_kind, p_user_id)
    ON CONFLICT (user_id, kind) DO NOTHING
    RETURNING id INTO opened;
  IF opened IS NULL THEN
    SELECT id INTO STRICT opened FROM ledger_account WHERE user_id = p_user_id AND kind = p_kind;
  END IF;
  RETURN opened;
END
$$;

-- The one writer of transfers and entries.
--
-- Locks both accounts in ascending id order, one statement each, before any row that references them is inserted:
-- a foreign key check on an unlocked hot row would turn its lock into a MultiXact and cost more than half the
-- throughput. NO KEY UPDATE, since those checks only need the key to stay.
-- Raises CN001 when the debit account does not hold the amount.
CREATE FUNCTION ledger_post(
  p_kind text, p_debit bigint, p_credit bigint, p_amount bigint, p_source_type text, p_source_id text,
  p_actor_user_id bigint, p_actor_operator_id bigint, p_request_id text, p_reverses_id bigint,
  OUT transfer_id bigint, OUT debit_balance bigint, OUT credit_balance bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  debit ledger_account;
  credit ledger_account;
  moment timestamptz;
BEGIN
  IF p_amount IS NULL OR p_amount <= 0 THEN
    RAISE EXCEPTION 'amount must be positive' USING ERRCODE = '23514';
  END IF;
  IF p_debit < p_credit THEN
    SELECT * INTO STRICT debit FROM ledger_account WHERE id = p_debit FOR NO KEY UPDATE;
    SELECT * INTO STRICT credit FROM ledger_account WHERE id = p_credit FOR NO KEY UPDATE;
  ELSE
    SELECT * INTO STRICT credit FROM ledger_account WHERE id = p_credit FOR NO KEY UPDATE;
    SELECT * INTO STRICT debit FROM ledger_account WHERE id = p_debit FOR NO KEY UPDATE;
  END IF;
  IF NOT debit.may_overdraw AND debit.balance < p_amount THEN
    RAISE EXCEPTION 'insufficient balance' USING ERRCODE = 'CN001';
  END IF;

  debit_balance := debit.balance - p_amount;
  credit_balance := credit.balance + p_amount;
  UPDATE ledger_account SET balance = debit_balance, version = version + 1 WHERE id = p_debit;
  UPDATE ledger_account SET balance = credit_balance, version = version + 1 WHERE id = p_credit;

  moment := clock_timestamp();
  INSERT INTO ledger_transfer (kind, debit_account, credit_account, amount, source_type, source_id, reverses_id,
      actor_user_id, actor_operator_id, request_id, created_at)
    VALUES (p_kind, p_debit, p_credit, p_amount, p_source_type, p_source_id, p_reverses_id,
      p_actor_user_id, p_actor_operator_id, p_request_id, moment)
    RETURNING id INTO transfer_id;
  INSERT INTO ledger_entry
      (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
    VALUES
      (p_debit, debit.version + 1, transfer_id, p_kind, -p_amount, debit.balance, debit_balance, moment),
      (p_credit, credit.version + 1, transfer_id, p_kind, p_amount, credit.balance, credit_balance, moment);
END
$$;

REVOKE ALL ON FUNCTION ledger_open_account, ledger_post FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_open_account, ledger_post TO portal_app;
GRANT SELECT ON ledger_account, ledger_transfer, ledger_entry TO portal_app;

-- The portal locks a wallet before it decides, and a row lock wants a column to update. Balances stay out of its
-- reach: created_at is the harmless one.
GRANT UPDATE (created_at) ON ledger_account TO portal_app;

-- One row per operation a client asked for under its own key. No foreign key to hot rows: the row is claimed
-- first, before any lock.
CREATE TABLE idempotency_key (
  scope text NOT NULL CHECK (length(scope) BETWEEN 1 AND 100),
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  request_hash bytea NOT NULL,
  result_type text,
  result_id text,
  status_code integer,
  response jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, key)
);
GRANT SELECT, INSERT, UPDATE ON idempotency_key TO portal_app;
