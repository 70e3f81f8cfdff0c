-- expand
-- Each account of the house is striped in 16 rows, so that payments at the same moment rarely wait for each other. The
-- account is named as before, by the id of its first row, stripe 0; the row of stripe n has that id plus 100 * n. An
-- account's balance is the sum of its rows.

ALTER TABLE ledger_account ADD COLUMN stripe smallint NOT NULL DEFAULT 0;
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_stripe CHECK (
  stripe BETWEEN 0 AND CASE WHEN user_id IS NULL THEN 15 ELSE 0 END);
ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_one_each;
CREATE UNIQUE INDEX ledger_account_one_stripe ON ledger_account (kind, stripe) WHERE user_id IS NULL;

INSERT INTO ledger_account (id, kind, may_overdraw, stripe)
  SELECT id + 100 * n, kind, may_overdraw, n FROM ledger_account, generate_series(1, 15) AS n WHERE user_id IS NULL;

CREATE OR REPLACE FUNCTION ledger_open_account(p_kind text, p_user_id bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
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
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
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

-- As before (0002), and it chooses the row of an account of the house:
-- * a credit goes to the row of its cause's hash; a debit is taken from the row that the same cause credited (a hold is
--   settled and refunded where it is), else from that of the hash;
-- * a reversal goes back the way of its original, to and from the same rows;
-- * when the chosen row may not be overdrawn and is short, the other rows give what is missing.
-- A cause of the type `stripe` is a movement between two rows, which are taken as they are named.
-- Raises CN001 when the debit account does not hold the amount, and 40001 when a row was emptied while it was waited for.
CREATE OR REPLACE FUNCTION ledger_post(
  p_kind text, p_debit bigint, p_credit bigint, p_amount bigint, p_source_type text, p_source_id text,
  p_actor_user_id bigint, p_actor_operator_id bigint, p_request_id text, p_reverses_id bigint,
  OUT transfer_id bigint, OUT debit_balance bigint, OUT credit_balance bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  debit ledger_account;
  credit ledger_account;
  moment timestamptz;
  account bigint;
  -- Of a chosen row alone.
  is_short boolean;
BEGIN
  IF p_amount IS NULL OR p_amount <= 0 THEN
    RAISE EXCEPTION 'amount must be positive' USING ERRCODE = '23514';
  END IF;
  IF p_debit <> p_credit AND p_source_type <> 'stripe' THEN
    IF ledger_is_striped(p_credit) THEN
      p_credit := coalesce(
        (SELECT t.debit_account FROM ledger_transfer t
          WHERE t.id = p_reverses_id AND ledger_is_stripe_of(t.debit_account, p_credit)),
        ledger_stripe(p_credit, p_source_type, p_source_id));
    END IF;
    IF ledger_is_striped(p_debit) THEN
      account := p_debit;
      SELECT a.id, NOT a.may_overdraw AND a.balance < p_amount INTO STRICT p_debit, is_short
        FROM ledger_account a
       WHERE a.id = coalesce(
         (SELECT t.credit_account FROM ledger_transfer t
           WHERE t.id = p_reverses_id AND ledger_is_stripe_of(t.credit_account, account)),
         (SELECT t.credit_account FROM ledger_transfer t
           WHERE t.source_type = p_source_type AND t.source_id = p_source_id
             AND ledger_is_stripe_of(t.credit_account, account)
           ORDER BY t.id LIMIT 1),
         ledger_stripe(account, p_source_type, p_source_id));
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

-- ledger_post alone calls it.
REVOKE ALL ON FUNCTION ledger_gather FROM PUBLIC;
