-- expand
-- What a payment costs the database, with the same guards.

-- In the order in which a settlement writes them, so that neither waits for the other.
LOCK TABLE bank_transaction, payment_event, payment_event_body IN SHARE ROW EXCLUSIVE MODE;

-- A seal is made of the row itself. Before, each read its row again beside the rows that had arrived, and PostgreSQL kept
-- the plan for that from when the table was nearly empty: it read the whole table for each notification until the next
-- ANALYZE.
CREATE OR REPLACE FUNCTION seal_payment_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO payment_event_seal (event_id, part, digest) VALUES (NEW.id, 'event', payment_event_digest(NEW));
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION seal_payment_event_bodies() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO payment_event_seal (event_id, part, digest) VALUES (NEW.event_id, 'body', payment_event_body_digest(NEW));
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER payment_event_sealed AFTER INSERT ON payment_event
  FOR EACH ROW EXECUTE FUNCTION seal_payment_events();
CREATE OR REPLACE TRIGGER payment_event_body_sealed AFTER INSERT ON payment_event_body
  FOR EACH ROW EXECUTE FUNCTION seal_payment_event_bodies();

-- Today has no close yet: its movements, which are nearly all, no longer call the function.
CREATE OR REPLACE TRIGGER bank_transaction_turns_close AFTER INSERT OR UPDATE OF state ON bank_transaction
  FOR EACH ROW WHEN (vietnam_day(coalesce(NEW.booked_at, NEW.created_at)) < vietnam_day(clock_timestamp()))
  EXECUTE FUNCTION daily_close_turns();
CREATE OR REPLACE TRIGGER payment_event_turns_close AFTER INSERT OR UPDATE OF status ON payment_event
  FOR EACH ROW WHEN (vietnam_day(coalesce(NEW.booked_at, NEW.received_at)) < vietnam_day(clock_timestamp()))
  EXECUTE FUNCTION daily_close_turns();
CREATE OR REPLACE FUNCTION daily_close_turns() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  IF TG_TABLE_NAME = 'bank_transaction' THEN
    INSERT INTO daily_close_due (day) VALUES (vietnam_day(coalesce(NEW.booked_at, NEW.created_at)));
  ELSE
    INSERT INTO daily_close_due (day) VALUES (vietnam_day(coalesce(NEW.booked_at, NEW.received_at)));
  END IF;
  RETURN NULL;
END
$$;

-- As in 0055, with both balances in one statement: PostgreSQL reads the conditions of a table anew for each statement
-- that writes it, and those of an account are the longest.
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
