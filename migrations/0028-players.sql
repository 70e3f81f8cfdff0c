-- The operators' list of players at a million rows: each filter and the search have an index, and the order of the list is
-- that of registration.

CREATE INDEX users_created ON users (created_at, id);
CREATE INDEX users_server ON users (server_id, created_at, id);
CREATE INDEX users_name_prefix ON users (username_key text_pattern_ops);
CREATE INDEX user_contacts_email ON user_contacts (lower(email)) WHERE email IS NOT NULL;
CREATE INDEX game_character_name ON game_character (lower(name) text_pattern_ops);
-- The search box finds an order while its code is being typed.
CREATE INDEX payment_order_code_prefix ON payment_order (code text_pattern_ops);
-- Not of debts alone: an index that names the balance would make every movement of a wallet write it.
CREATE INDEX ledger_account_receivable ON ledger_account (user_id) WHERE kind = 'receivable';

-- A second kind of ban: of signing in. The ban there was keeps a player from trading.
ALTER TABLE users ADD COLUMN sign_in_ban_until timestamptz, ADD COLUMN sign_in_ban_reason text;
GRANT UPDATE (sign_in_ban_until, sign_in_ban_reason) ON users TO portal_app;
CREATE INDEX users_banned ON users (created_at, id) WHERE ban_until IS NOT NULL OR sign_in_ban_until IS NOT NULL;

-- What operators note about a player; only operators read it.
CREATE TABLE player_note (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  author_id bigint NOT NULL REFERENCES users (id),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX player_note_user ON player_note (user_id, id);
GRANT SELECT, INSERT ON player_note TO portal_app;

-- Adjustments of wallets and the removal of a second factor wait for a second person, as settings of money do.
ALTER TABLE proposal DROP CONSTRAINT proposal_kind_check;
ALTER TABLE proposal ADD CONSTRAINT proposal_kind_check CHECK (kind IN ('setting', 'adjustment', 'second-factor'));
