-- expand, outside a transaction
-- An account of the house has one row of each stripe, and each budget is an account of its own. Takes the place of
-- ledger_account_one_stripe in the next migration.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ledger_account_house_stripe ON ledger_account (kind, stripe)
  WHERE user_id IS NULL AND kind <> 'budget';
