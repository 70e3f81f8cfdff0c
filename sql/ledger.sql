-- The ledger: double entry, append-only, whole numbers.
--
-- An amount moves from the debit account to the credit account: the debit account's balance falls, the credit
-- account's rises. Money comes into being by debiting house_recharge, so the sum of all balances is always 0.
--
-- The portal reads these three tables and writes none of them: only ledger_post() and ledger_open_account() do.
-- sql/examples/ shows them at work, each with its output.

-- 1. Tables

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
  -- Each account of the house is striped in 16 rows, so that payments at the same moment rarely wait for each other. The
  -- account is named by the id of its first row, stripe 0; the row of stripe n has that id plus 100 * n. An account's
  -- balance is the sum of its rows.
  stripe smallint NOT NULL DEFAULT 0,
  CONSTRAINT ledger_account_owner CHECK ((user_id IS NOT NULL) = (kind IN ('user_wallet', 'receivable'))),
  CONSTRAINT ledger_account_no_overdraft CHECK (may_overdraw OR balance >= 0),
  -- Above 9e15 a JSON number is no longer exact.
  CONSTRAINT ledger_account_exact CHECK (abs(balance) <= 9000000000000000),
  -- What a player owes. Money that went back to the payer was spent meanwhile: the missing TCoin are lent, so that the
  -- whole credit can be taken back from a wallet that never goes below zero. A debt is what the house is owed, so its
  -- balance is never above zero, as house_recharge's is not; what is owed is its opposite.
  CONSTRAINT ledger_account_debt CHECK (kind <> 'receivable' OR (may_overdraw AND balance <= 0)),
  CONSTRAINT ledger_account_stripe CHECK (
    stripe BETWEEN 0 AND CASE WHEN user_id IS NULL THEN 15 ELSE 0 END)
);
CREATE SEQUENCE ledger_account_id_seq MAXVALUE 8999999999999999 OWNED BY ledger_account.id;
-- Not of debts alone: an index that names the balance would make every movement of a wallet write it.
CREATE INDEX ledger_account_receivable ON ledger_account (user_id) WHERE kind = 'receivable';
-- A player has one wallet and one debt; an account of the house has one row of each stripe.
CREATE UNIQUE INDEX ledger_account_one_for_player ON ledger_account (user_id, kind) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_account_one_stripe ON ledger_account (kind, stripe) WHERE user_id IS NULL;

INSERT INTO ledger_account (id, kind, may_overdraw, stripe)
  SELECT 9000000000000000 + house.number + 100 * stripe, house.kind, house.may_overdraw, stripe
    FROM (VALUES (1, 'adjustment', true), (2, 'promotion', true), (3, 'suspense', true), (4, 'house_gift', false),
                 (5, 'house_revenue', false), (6, 'delivery_hold', false), (7, 'house_recharge', true))
           AS house (number, kind, may_overdraw),
         generate_series(0, 15) AS stripe
   ORDER BY stripe, house.number;

-- One movement of an amount. A reversal (reverses_id) is a movement of its own: nothing is ever changed or deleted.
CREATE TABLE ledger_transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN (
    'recharge', 'p2p', 'activation', 'exchange_hold', 'exchange_settle', 'exchange_refund', 'gift_hold',
    'gift_settle', 'gift_refund', 'adjustment', 'reversal', 'debt', 'debt_settle')),
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
CREATE INDEX ledger_transfer_source ON ledger_transfer (source_type, source_id);
-- The month's recharges without reading the rest of the ledger, or its tables at all.
CREATE INDEX ledger_transfer_recharges ON ledger_transfer (created_at) INCLUDE (credit_account, amount, id)
  WHERE kind = 'recharge';
-- Which of them were taken back: the unique index on the column holds a row for every transfer, this one the few.
CREATE INDEX ledger_transfer_reversals ON ledger_transfer (reverses_id) WHERE reverses_id IS NOT NULL;
-- Operators list transfers in the order of time, by kind and by amount.
CREATE INDEX ledger_transfer_kind ON ledger_transfer (kind, created_at, id);
CREATE INDEX ledger_transfer_amount ON ledger_transfer (amount, created_at, id);
CREATE INDEX ledger_transfer_created ON ledger_transfer (created_at, id);

-- The two sides of each transfer.
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

-- 2. Rules that hold whoever writes: what is written stays, and two sides cancel out

CREATE TRIGGER ledger_transfer_append_only BEFORE UPDATE OR DELETE ON ledger_transfer
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transfer_no_truncate BEFORE TRUNCATE ON ledger_transfer
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Last check before commit: a transfer has exactly its two entries, and they cancel out.
CREATE FUNCTION ledger_transfer_is_balanced() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
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

-- 3. Opening an account

-- Opens the account of a player, or answers the one there is.
CREATE FUNCTION ledger_open_account(p_kind text, p_user_id bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  opened bigint;
BEGIN
  INSERT INTO ledger_account (id, kind, user_id, may_overdraw)
    VALUES (nextval('ledger_account_id_seq'), p_kind, p_user_id, p_kind = 'receivable')
    ON CONFLICT (user_id, kind) WHERE user_id IS NOT NULL DO NOTHING
    RETURNING id INTO opened;
  IF opened IS NULL THEN
    SELECT id INTO STRICT opened FROM ledger_account WHERE user_id = p_user_id AND kind = p_kind;
  END IF;
  RETURN opened;
END
$$;

-- 4. The rows of an account of the house

-- Whether an account is named that has stripes.
CREATE FUNCTION ledger_is_striped(p_account bigint) RETURNS boolean LANGUAGE sql IMMUTABLE
  RETURN p_account BETWEEN 9000000000000000 AND 9000000000000099;

-- Whether a row is one of the stripes of the account.
CREATE FUNCTION ledger_is_stripe_of(p_row bigint, p_account bigint) RETURNS boolean LANGUAGE sql IMMUTABLE
  RETURN p_row >= 9000000000000000 AND (p_row - p_account) % 100 = 0;

-- The row of a cause: a hash, since ids that follow each other have to be spread.
CREATE FUNCTION ledger_stripe(p_account bigint, p_source_type text, p_source_id text) RETURNS bigint
LANGUAGE sql IMMUTABLE
  RETURN p_account + 100 * (hashtextextended(p_source_type || ':' || p_source_id, 0) & 15);

-- Brings so much of an account together in one of its rows that the row holds the amount. All rows and the account that
-- is paid are locked in ascending order of id, so the caller must hold no lock of a house account yet.
-- Raises CN001 when the whole account does not hold the amount.
CREATE FUNCTION ledger_gather(
  p_account bigint, p_row bigint, p_amount bigint, p_credit bigint, p_cause text,
  p_actor_user_id bigint, p_actor_operator_id bigint, p_request_id text
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  stripes bigint[] := ARRAY(SELECT p_account + 100 * n FROM generate_series(0, 15) AS n);
  missing bigint;
  other record;
BEGIN
  PERFORM FROM (SELECT FROM ledger_account WHERE id = ANY (stripes || p_credit) ORDER BY id FOR NO KEY UPDATE) AS locked;
  IF (SELECT sum(balance) FROM ledger_account WHERE id = ANY (stripes)) < p_amount THEN
    RAISE EXCEPTION 'insufficient balance' USING ERRCODE = 'CN001';
  END IF;
  SELECT p_amount - balance INTO STRICT missing FROM ledger_account WHERE id = p_row;
  FOR other IN
    SELECT id, balance, stripe FROM ledger_account WHERE id = ANY (stripes) AND id <> p_row AND balance > 0
     ORDER BY balance DESC, id
  LOOP
    EXIT WHEN missing <= 0;
    PERFORM ledger_post('adjustment', other.id, p_row, least(missing, other.balance), 'stripe',
      p_cause || ':' || other.stripe, p_actor_user_id, p_actor_operator_id, p_request_id, NULL);
    missing := missing - other.balance;
  END LOOP;
END
$$;
-- ledger_post alone calls it.
REVOKE ALL ON FUNCTION ledger_gather FROM PUBLIC;

-- 5. Posting: the one writer of transfers and entries
--
-- Locks both accounts in ascending id order, one statement each, before any row that references them is inserted:
-- a foreign key check on an unlocked hot row would turn its lock into a MultiXact and cost more than half the
-- throughput. NO KEY UPDATE, since those checks only need the key to stay.
--
-- It chooses the row of an account of the house:
-- * a credit goes to the row of its cause's hash; a debit is taken from the row that the same cause credited (a hold is
--   settled and refunded where it is), else from that of the hash;
-- * a reversal goes back the way of its original, to and from the same rows;
-- * when the chosen row may not be overdrawn and is short, the other rows give what is missing (ledger_gather).
-- A cause of the type `stripe` is a movement between two rows, which are taken as they are named.
--
-- Each look-up is a statement of its own: one for all of them was cheaper to plan for its values than once for all, so
-- PostgreSQL planned it anew at every posting, a third of a millisecond each time. Both balances are one statement:
-- PostgreSQL reads the conditions of a table anew for each statement that writes it, and those of an account are the
-- longest.
--
-- Raises CN001 when the debit account does not hold the amount, and 40001 when a row was emptied while it was waited for.

CREATE FUNCTION ledger_post(
  p_kind text, p_debit bigint, p_credit bigint, p_amount bigint, p_source_type text, p_source_id text,
  p_actor_user_id bigint, p_actor_operator_id bigint, p_request_id text, p_reverses_id bigint,
  OUT transfer_id bigint, OUT debit_balance bigint, OUT credit_balance bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  debit ledger_account;
  credit ledger_account;
  moment timestamptz;
  account bigint;
  chosen bigint;
  -- Of a chosen row alone.
  is_short boolean;
BEGIN
  IF p_amount IS NULL OR p_amount <= 0 THEN
    RAISE EXCEPTION 'amount must be positive' USING ERRCODE = '23514';
  END IF;
  IF p_debit <> p_credit AND p_source_type <> 'stripe' THEN
    IF ledger_is_striped(p_credit) THEN
      IF p_reverses_id IS NOT NULL THEN
        SELECT t.debit_account INTO chosen FROM ledger_transfer t
         WHERE t.id = p_reverses_id AND ledger_is_stripe_of(t.debit_account, p_credit);
      END IF;
      p_credit := coalesce(chosen, ledger_stripe(p_credit, p_source_type, p_source_id));
    END IF;
    IF ledger_is_striped(p_debit) THEN
      account := p_debit;
      chosen := NULL;
      IF p_reverses_id IS NOT NULL THEN
        SELECT t.credit_account INTO chosen FROM ledger_transfer t
         WHERE t.id = p_reverses_id AND ledger_is_stripe_of(t.credit_account, account);
      END IF;
      IF chosen IS NULL THEN
        SELECT min(t.credit_account) INTO chosen FROM ledger_transfer t
         WHERE t.source_type = p_source_type AND t.source_id = p_source_id
           AND ledger_is_stripe_of(t.credit_account, account);
      END IF;
      p_debit := coalesce(chosen, ledger_stripe(account, p_source_type, p_source_id));
      SELECT NOT a.may_overdraw AND a.balance < p_amount INTO STRICT is_short
        FROM ledger_account a WHERE a.id = p_debit;
      IF is_short THEN
        PERFORM ledger_gather(account, p_debit, p_amount, p_credit, concat_ws(':', p_kind, p_source_type, p_source_id),
          p_actor_user_id, p_actor_operator_id, p_request_id);
      END IF;
    END IF;
  END IF;

  IF p_debit < p_credit THEN
    SELECT * INTO STRICT debit FROM ledger_account WHERE id = p_debit FOR NO KEY UPDATE;
    SELECT * INTO STRICT credit FROM ledger_account WHERE id = p_credit FOR NO KEY UPDATE;
  ELSE
    SELECT * INTO STRICT credit FROM ledger_account WHERE id = p_credit FOR NO KEY UPDATE;
    SELECT * INTO STRICT debit FROM ledger_account WHERE id = p_debit FOR NO KEY UPDATE;
  END IF;
  IF NOT debit.may_overdraw AND debit.balance < p_amount THEN
    RAISE EXCEPTION 'insufficient balance' USING ERRCODE = CASE WHEN is_short = false THEN '40001' ELSE 'CN001' END;
  END IF;

  debit_balance := debit.balance - p_amount;
  credit_balance := credit.balance + p_amount;
  UPDATE ledger_account
     SET balance = CASE id WHEN p_debit THEN debit_balance ELSE credit_balance END, version = version + 1
   WHERE id IN (p_debit, p_credit);

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

-- 6. Rights of the portal

REVOKE ALL ON FUNCTION ledger_open_account, ledger_post FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_open_account, ledger_post TO portal_app;
GRANT SELECT ON ledger_account, ledger_transfer, ledger_entry TO portal_app;

-- The portal locks a wallet before it decides, and a row lock wants a column to update. Balances stay out of its
-- reach: created_at is the harmless one.
GRANT UPDATE (created_at) ON ledger_account TO portal_app;
