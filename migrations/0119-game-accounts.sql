-- expand

-- Whether the game keeps accounts is what it last said by an answer of the contract (`are_kept`, null until the first), and
-- since when it has not said it: while it does not, no name can be registered, and changes wait.
ALTER TABLE game_accounts
  -- When it last said that it keeps accounts.
  ADD COLUMN kept_at timestamptz,
  -- Null after an answer of the contract.
  ADD COLUMN failing_since timestamptz,
  ADD COLUMN failure text;
GRANT UPDATE (kept_at, failing_since, failure) ON game_accounts TO portal_app;
UPDATE game_accounts SET kept_at = asked_at WHERE are_kept;

-- What was once taken from a 404 is no answer of the contract.
UPDATE game_accounts SET are_kept = NULL WHERE NOT are_kept;
