-- Goods out: what was bought, everything that was promised, and where its delivery stands.

CREATE TABLE delivery (
  -- The idempotency key the game server sees.
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('exchange', 'gift')),
  user_id bigint NOT NULL REFERENCES users (id),
  -- The promise, copied: later changes of prices or names do not touch it.
  amount bigint NOT NULL CHECK (amount > 0),
  server_id text NOT NULL,
  account text NOT NULL,
  character_id text NOT NULL,
  character_name text NOT NULL,
  goods jsonb NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN (
    'pending', 'sending', 'unknown', 'parked', 'delivered', 'refunded')),
  attempt integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  lease_token uuid,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  settled_at timestamptz,
  CONSTRAINT delivery_lease CHECK ((state = 'sending') = (lease_token IS NOT NULL AND lease_until IS NOT NULL)),
  CONSTRAINT delivery_settled CHECK ((state IN ('delivered', 'refunded')) = (settled_at IS NOT NULL))
);
-- A final state stays final, and a promise cannot be rewritten.
CREATE FUNCTION delivery_keeps_promise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('delivered', 'refunded') THEN
    RAISE EXCEPTION 'delivery % is already %', OLD.id, OLD.state USING ERRCODE = 'CN002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER delivery_final BEFORE UPDATE ON delivery FOR EACH ROW EXECUTE FUNCTION delivery_keeps_promise();
CREATE TRIGGER delivery_no_delete BEFORE DELETE ON delivery FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE INDEX delivery_user ON delivery (user_id, created_at DESC);
CREATE INDEX delivery_due ON delivery (next_attempt_at) WHERE state IN ('pending', 'unknown');
CREATE INDEX delivery_leased ON delivery (lease_until) WHERE state = 'sending';
CREATE INDEX delivery_open_character ON delivery (server_id, character_id, created_at)
  WHERE state NOT IN ('delivered', 'refunded');
CREATE INDEX delivery_parked ON delivery (created_at) WHERE state = 'parked';

-- What was promised in an exchange, so that an audit can explain the goods.
CREATE TABLE exchange_order (
  delivery_id uuid PRIMARY KEY REFERENCES delivery (id),
  user_id bigint NOT NULL REFERENCES users (id),
  amount bigint NOT NULL CHECK (amount > 0),
  rate bigint NOT NULL CHECK (rate > 0),
  bonus_percent bigint NOT NULL CHECK (bonus_percent >= 0),
  receive bigint NOT NULL CHECK (receive > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One live gift an account: a refund voids the row and frees the account.
CREATE TABLE first_gift (
  delivery_id uuid PRIMARY KEY REFERENCES delivery (id),
  user_id bigint NOT NULL REFERENCES users (id),
  package_id bigint NOT NULL,
  voided_at timestamptz
);
CREATE UNIQUE INDEX first_gift_one_each ON first_gift (user_id) WHERE voided_at IS NULL;

-- Characters as the game last told them (the game is the truth; this is what pages show).
CREATE TABLE game_character (
  user_id bigint NOT NULL REFERENCES users (id),
  id text NOT NULL,
  server_id text NOT NULL,
  name text NOT NULL,
  head integer NOT NULL,
  class_id integer NOT NULL,
  level integer NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE TABLE game_character_fetch (
  user_id bigint PRIMARY KEY REFERENCES users (id),
  fetched_at timestamptz NOT NULL
);

GRANT SELECT, INSERT ON delivery, exchange_order, first_gift TO portal_app;
GRANT UPDATE (state, attempt, next_attempt_at, lease_until, lease_token, last_error, settled_at) ON delivery TO portal_app;
GRANT UPDATE (voided_at) ON first_gift TO portal_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON game_character, game_character_fetch TO portal_app;
