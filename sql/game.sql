-- The embedded game world: a small game in a schema of its own, there when no real game server is named. The portal
-- reaches it only through the game bridge; nothing joins across.

CREATE SCHEMA game;
GRANT USAGE ON SCHEMA game TO portal_app;

CREATE TABLE game.characters (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  server_id text NOT NULL,
  account text NOT NULL,
  name text NOT NULL,
  head integer NOT NULL,
  class_id integer NOT NULL CHECK (class_id BETWEEN 0 AND 6),
  level integer NOT NULL CHECK (level BETWEEN 1 AND 200),
  luong bigint NOT NULL DEFAULT 0 CHECK (luong >= 0),
  yen bigint NOT NULL DEFAULT 0 CHECK (yen >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (server_id, name)
);
CREATE INDEX characters_account ON game.characters (account, server_id, id);
-- Its strongest and its richest.
CREATE INDEX characters_level ON game.characters (server_id, level DESC, id);
CREATE INDEX characters_yen ON game.characters (server_id, yen DESC, level DESC, id);
CREATE INDEX characters_luong ON game.characters (server_id, luong DESC, level DESC, id);
GRANT SELECT, INSERT, UPDATE ON game.characters TO portal_app;

CREATE TABLE game.items (
  character_id bigint NOT NULL REFERENCES game.characters (id),
  delivery_id uuid NOT NULL,
  line integer NOT NULL,
  code text NOT NULL,
  quantity bigint NOT NULL CHECK (quantity > 0),
  expires_at timestamptz,
  PRIMARY KEY (delivery_id, line)
);
CREATE INDEX items_character ON game.items (character_id);

-- The game's own journal: one row per delivery it has answered for good. It is what makes a repeat harmless.
CREATE TABLE game.deliveries (
  id uuid PRIMARY KEY,
  body_hash bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('applied', 'refused', 'cancelled')),
  reason text,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT ON game.items, game.deliveries TO portal_app;
