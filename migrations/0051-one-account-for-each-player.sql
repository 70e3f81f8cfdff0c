-- expand, outside a transaction
-- A player has one wallet and one debt. The house's accounts, which the constraint of 0002 counts as well, get several
-- rows in the next file.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ledger_account_one_for_player ON ledger_account (user_id, kind)
  WHERE user_id IS NOT NULL;
