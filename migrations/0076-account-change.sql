-- expand

-- What a real game has to be told about accounts: activated, banned from signing in, password changed. One row for each
-- account that was changed; a worker sends the account's present state until the game has answered it.
CREATE TABLE account_change (
  user_id bigint PRIMARY KEY REFERENCES users (id),
  -- Grows with each change. Made from the clock, so that it also grows after the portal was set back to a backup: the game
  -- ignores what is older than what it has.
  version bigint NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Null while it is the password of the registration, or of the import.
  password_changed_at timestamptz,
  attempt integer NOT NULL DEFAULT 0,
  -- Null when the game has answered the present version.
  next_attempt_at timestamptz DEFAULT now()
);
CREATE INDEX account_change_due ON account_change (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX account_change_open ON account_change (changed_at) WHERE next_attempt_at IS NOT NULL;
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON account_change FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON account_change TO portal_app;
GRANT UPDATE (version, changed_at, password_changed_at, attempt, next_attempt_at) ON account_change TO portal_app;

-- Bans that were set before the portal told the game about accounts.
INSERT INTO account_change (user_id, version)
SELECT id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM users WHERE sign_in_ban_until > now();

-- Whether the game keeps accounts, as it last said: null until it has been asked.
CREATE TABLE game_accounts (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  are_kept boolean,
  asked_at timestamptz
);
INSERT INTO game_accounts DEFAULT VALUES;
GRANT SELECT ON game_accounts TO portal_app;
GRANT UPDATE (are_kept, asked_at) ON game_accounts TO portal_app;
