-- expand
-- Budgets: whatever the house gives away as TCoin comes out of one.

DROP INDEX ledger_account_one_stripe;
-- No row of before breaks them, so the rows need not be read while nobody may write; migration 0091 has them read.
ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_kind_check;
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_kind_check CHECK (kind IN (
  'user_wallet', 'receivable', 'house_recharge', 'house_revenue', 'house_gift', 'delivery_hold', 'suspense', 'promotion',
  'adjustment', 'opening', 'promotion_hold', 'budget')) NOT VALID;
ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_kind_check;
ALTER TABLE ledger_transfer ADD CONSTRAINT ledger_transfer_kind_check CHECK (kind IN (
  'recharge', 'p2p', 'activation', 'exchange_hold', 'exchange_settle', 'exchange_refund', 'gift_hold', 'gift_settle',
  'gift_refund', 'adjustment', 'reversal', 'debt', 'debt_settle', 'opening', 'budget', 'bonus_hold', 'bonus',
  'bonus_release')) NOT VALID;

-- What is promised to players and not given yet.
INSERT INTO ledger_account (id, kind, may_overdraw, stripe)
  SELECT 9000000000000009 + 100 * stripe, 'promotion_hold', false, stripe FROM generate_series(0, 15) AS stripe;

-- Only rows of stripes: budgets follow them, and some have the same remainder.
CREATE OR REPLACE FUNCTION ledger_is_stripe_of(p_row bigint, p_account bigint) RETURNS boolean LANGUAGE sql IMMUTABLE
  RETURN p_row BETWEEN 9000000000000000 AND 9000000000001599 AND (p_row - p_account) % 100 = 0;

CREATE TABLE budget (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL CHECK (length(title) BETWEEN 3 AND 80),
  -- Opened with the row.
  account_id bigint NOT NULL UNIQUE REFERENCES ledger_account (id),
  -- TCoin put in, without those taken back: the sum of the account's transfers of the kind `budget`.
  funded bigint NOT NULL DEFAULT 0 CHECK (funded >= 0),
  made_by bigint NOT NULL REFERENCES users (id),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX budget_title ON budget (lower(title));
GRANT SELECT, INSERT ON budget TO portal_app;
GRANT UPDATE (funded) ON budget TO portal_app;

-- Above the rows of the house, so that locks in the order of ids take a budget last.
CREATE FUNCTION budget_opens_account() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.account_id := 9000000000010000 + NEW.id;
  INSERT INTO ledger_account (id, kind) VALUES (NEW.account_id, 'budget');
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION budget_opens_account FROM PUBLIC;
CREATE TRIGGER budget_account BEFORE INSERT ON budget FOR EACH ROW EXECUTE FUNCTION budget_opens_account();

ALTER TABLE proposal DROP CONSTRAINT proposal_kind_check;
ALTER TABLE proposal ADD CONSTRAINT proposal_kind_check CHECK (
  kind IN ('setting', 'planned-price', 'adjustment', 'second-factor', 'bank-transfer', 'roles', 'invite', 'give-again',
    'budget', 'promotion'));
