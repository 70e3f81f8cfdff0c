-- expand
-- Where the goods of deliveries are that the game has applied: with their character, or waiting in the game, and why. A
-- row is made when a delivery is settled, if the game tells it; the worker asks until the goods are collected.
CREATE TABLE delivery_collection (
  delivery_id uuid PRIMARY KEY REFERENCES delivery (id),
  -- When the delivery was made: the order of the operators' list.
  bought_at timestamptz NOT NULL,
  collected_at timestamptz,
  waiting text CHECK (waiting IN ('offline', 'bag-full', 'over-limit', 'unknown-item')),
  asks integer NOT NULL DEFAULT 0 CHECK (asks >= 0),
  next_ask_at timestamptz DEFAULT clock_timestamp() + interval '1 second',
  CONSTRAINT delivery_collection_asked CHECK ((collected_at IS NULL) = (next_ask_at IS NOT NULL)),
  CONSTRAINT delivery_collection_arrived CHECK (collected_at IS NULL OR waiting IS NULL)
);
CREATE INDEX delivery_collection_due ON delivery_collection (next_ask_at) WHERE next_ask_at IS NOT NULL;
CREATE INDEX delivery_collection_open ON delivery_collection (bought_at, delivery_id) WHERE collected_at IS NULL;
CREATE INDEX delivery_collection_waiting ON delivery_collection (waiting, bought_at, delivery_id) WHERE waiting IS NOT NULL;
GRANT SELECT, INSERT, DELETE ON delivery_collection TO portal_app;
GRANT UPDATE (collected_at, waiting, asks, next_ask_at) ON delivery_collection TO portal_app;

-- What the game last said about itself.
CREATE TABLE game_description (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- Null: the game does not have the call.
  description jsonb,
  -- The last sign of life of what collects in the game.
  collector_seen_at timestamptz,
  -- Whether the game tells when goods are collected.
  tells_collection boolean NOT NULL,
  read_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON game_description TO portal_app;
