-- What a provider's list named of a day, so that a close shows which rows the bank has and we have not, or the reverse:
-- [{"id", "direction", "amount"}], without what payers wrote. Null: read before this was kept.
ALTER TABLE bank_statement_day ADD COLUMN listed jsonb;
GRANT UPDATE (listed) ON bank_statement_day TO portal_app;
