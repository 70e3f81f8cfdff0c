-- Rankings: the groups a page shows as tabs, and for each the last picture a job took of its rankings. Pages read
-- the picture only; nobody waits for the game.

CREATE TABLE ranking_groups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  description text NOT NULL DEFAULT '' CHECK (length(description) <= 500),
  -- 'game': a board of the game, by its name there. 'recharge': TCoin recharged since the month began in Vietnam.
  source text NOT NULL CHECK (source IN ('game', 'recharge')),
  board text CHECK (board ~ '^[a-z0-9_-]{1,40}$'),
  -- What the values are, as the head of their column: a level, yen, TCoin.
  value_name text NOT NULL CHECK (length(value_name) BETWEEN 1 AND 30),
  -- Null: the players of all servers together.
  server_id text REFERENCES servers (id),
  position integer NOT NULL DEFAULT 0,
  -- While it lies ahead, some worker is taking this group's picture; one that died lets go by itself.
  claimed_until timestamptz,
  -- Who saves says which state was seen.
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT ranking_groups_board CHECK ((source = 'game') = (board IS NOT NULL)),
  -- The wallets' month has no server: a player's coins are one purse.
  CONSTRAINT ranking_groups_recharge CHECK (source <> 'recharge' OR server_id IS NULL)
);
CREATE INDEX ranking_groups_position ON ranking_groups (position, id);
GRANT SELECT, INSERT, UPDATE, DELETE ON ranking_groups TO portal_app;

CREATE TABLE ranking_snapshots (
  group_id bigint PRIMARY KEY REFERENCES ranking_groups (id) ON DELETE CASCADE,
  taken_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON ranking_snapshots TO portal_app;

CREATE TABLE ranking_entries (
  group_id bigint NOT NULL REFERENCES ranking_snapshots (group_id) ON DELETE CASCADE,
  rank integer NOT NULL CHECK (rank >= 1),
  -- Null for characters whose game account is not known to the portal.
  user_id bigint REFERENCES users (id),
  server_id text NOT NULL,
  name text NOT NULL,
  value bigint NOT NULL,
  -- Null where the portal knows no character of the player.
  class_id integer,
  level integer,
  PRIMARY KEY (group_id, rank)
);
CREATE INDEX ranking_entries_user ON ranking_entries (user_id, group_id, rank) WHERE user_id IS NOT NULL;
-- The places of one server in a ranking, in their order.
CREATE INDEX ranking_entries_server ON ranking_entries (group_id, server_id, rank);
GRANT SELECT, INSERT, DELETE ON ranking_entries TO portal_app;
