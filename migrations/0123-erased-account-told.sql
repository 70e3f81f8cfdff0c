-- expand

-- The name of an account that was erased, which only the game still has to be told: the row goes once the game has answered.
ALTER TABLE account_change ADD COLUMN erased_account text;
GRANT UPDATE (erased_account) ON account_change TO portal_app;
CREATE INDEX account_change_erased ON account_change (user_id) WHERE erased_account IS NOT NULL;
