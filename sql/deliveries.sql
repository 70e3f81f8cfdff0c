-- Goods out: what was bought, everything that was promised, and where its delivery stands; and the characters it goes to.

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
  -- A character's purchases arrive in the order they were bought. One that was found behind an earlier one names it, and
  -- is looked for no more until that one has come to its end, which takes the name away: a claim reads what it may take,
  -- and not all that waits behind it.
  waits_behind uuid,
  CONSTRAINT delivery_lease CHECK ((state = 'sending') = (lease_token IS NOT NULL AND lease_until IS NOT NULL)),
  CONSTRAINT delivery_settled CHECK ((state IN ('delivered', 'refunded')) = (settled_at IS NOT NULL))
);

-- A final state stays final, and a promise cannot be rewritten; only who it was made to may be taken out of it.
CREATE FUNCTION delivery_keeps_promise() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  personal text[] := '{account,character_id,character_name,last_error}';
BEGIN
  IF OLD.state IN ('delivered', 'refunded') AND (
       NEW.account <> 'da-xoa' OR NEW.character_id <> 'da-xoa' OR NEW.character_name <> 'Đã xóa'
       OR NEW.last_error IS NOT NULL OR to_jsonb(NEW) - personal IS DISTINCT FROM to_jsonb(OLD) - personal)
  THEN
    RAISE EXCEPTION 'delivery % is already %', OLD.id, OLD.state USING ERRCODE = 'CN002';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER delivery_final BEFORE UPDATE ON delivery FOR EACH ROW EXECUTE FUNCTION delivery_keeps_promise();
CREATE TRIGGER delivery_no_delete BEFORE DELETE ON delivery FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON delivery FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();

CREATE INDEX delivery_leased ON delivery (lease_until) WHERE state = 'sending';
CREATE INDEX delivery_parked ON delivery (created_at) WHERE state = 'parked';
-- What an operator looks through: all deliveries by age, those in one state, those still open.
CREATE INDEX delivery_created ON delivery (created_at, id);
CREATE INDEX delivery_state ON delivery (state, created_at, id);
CREATE INDEX delivery_open ON delivery (created_at, id) WHERE state NOT IN ('delivered', 'refunded');
CREATE INDEX delivery_user ON delivery (user_id, created_at, id);
CREATE INDEX delivery_due ON delivery (next_attempt_at) WHERE state IN ('pending', 'unknown') AND waits_behind IS NULL;
CREATE INDEX delivery_waits ON delivery (waits_behind) WHERE waits_behind IS NOT NULL;
-- The line of each character. In words of its own, so that no plan of an empty table takes another index for it.
CREATE INDEX delivery_line ON delivery (server_id, character_id, created_at, id)
  WHERE settled_at IS NULL AND state <> 'parked';
GRANT SELECT, INSERT ON delivery TO portal_app;
GRANT UPDATE (state, attempt, next_attempt_at, lease_until, lease_token, last_error, settled_at, waits_behind)
  ON delivery TO portal_app;

-- Works on deliveries that have come to their end, of an erased account.
CREATE FUNCTION erase_deliveries_of(p_user_id bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE delivery
     SET account = 'da-xoa', character_id = 'da-xoa', character_name = 'Đã xóa', last_error = NULL
   WHERE user_id = p_user_id AND state IN ('delivered', 'refunded')
     AND EXISTS (SELECT FROM users WHERE id = p_user_id AND erased_at IS NOT NULL);
END
$$;
REVOKE ALL ON FUNCTION erase_deliveries_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_deliveries_of TO portal_app;

-- What the game was asked about each delivery, and what it said: for operators who have to find out why one is stuck.
-- Nothing depends on these rows: an outcome is written before them and without them.
CREATE TABLE delivery_attempt (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id uuid NOT NULL REFERENCES delivery (id),
  -- The operator who asked; null when the worker did.
  operator_id bigint REFERENCES users (id),
  asked text NOT NULL CHECK (asked IN ('status', 'deliver', 'cancel')),
  answer text NOT NULL CHECK (answer IN (
    'applied', 'refused', 'conflict', 'cancelled', 'not-applied', 'not-received', 'unknown')),
  note text CHECK (length(note) <= 300),
  took_ms integer NOT NULL CHECK (took_ms >= 0),
  asked_at timestamptz NOT NULL
);
CREATE INDEX delivery_attempt_delivery ON delivery_attempt (delivery_id, id);
CREATE INDEX delivery_attempt_age ON delivery_attempt (asked_at);
-- The last word of the game, however long ago.
CREATE INDEX delivery_attempt_answered ON delivery_attempt (id) WHERE answer NOT IN ('not-received', 'unknown');
GRANT SELECT, INSERT, DELETE ON delivery_attempt TO portal_app;

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
GRANT SELECT, INSERT ON exchange_order, first_gift TO portal_app;
GRANT UPDATE (voided_at) ON first_gift TO portal_app;

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
CREATE INDEX game_character_name ON game_character (lower(name) text_pattern_ops);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON game_character FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TABLE game_character_fetch (
  user_id bigint PRIMARY KEY REFERENCES users (id),
  fetched_at timestamptz NOT NULL
);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON game_character_fetch FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, UPDATE, DELETE ON game_character, game_character_fetch TO portal_app;
