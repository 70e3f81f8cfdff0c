-- expand, outside a transaction
-- What is told again to a game that was set back: the accounts that were changed since.
CREATE INDEX CONCURRENTLY IF NOT EXISTS account_change_age ON account_change (changed_at);
