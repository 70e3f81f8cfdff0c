-- expand
-- What a recharge order buys by itself once its money is credited: luong for a character, at the price that the player was shown.
CREATE TABLE order_purchase (
  order_id bigint PRIMARY KEY REFERENCES payment_order (id),
  user_id bigint NOT NULL REFERENCES users (id),
  character_id text NOT NULL,
  character_name text NOT NULL,
  -- TCoin that it costs, and luong that it brings.
  amount bigint NOT NULL CHECK (amount > 0),
  receive bigint NOT NULL CHECK (receive > 0),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'bought', 'not-bought')),
  reason text CHECK (reason IN
    ('price-changed', 'character-gone', 'banned', 'not-activated', 'coins-missing', 'cancelled', 'late')),
  delivery_id uuid UNIQUE REFERENCES delivery (id),
  -- Money that is credited later stays in the wallet.
  until timestamptz NOT NULL,
  -- When it is tried next; null until the order's money is credited.
  next_attempt_at timestamptz,
  attempt integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  settled_at timestamptz,
  CONSTRAINT order_purchase_bought CHECK ((state = 'bought') = (delivery_id IS NOT NULL)),
  CONSTRAINT order_purchase_not_bought CHECK ((state = 'not-bought') = (reason IS NOT NULL)),
  CONSTRAINT order_purchase_settled CHECK ((state = 'waiting') = (settled_at IS NULL))
);
CREATE INDEX order_purchase_due ON order_purchase (next_attempt_at)
  WHERE state = 'waiting' AND next_attempt_at IS NOT NULL;
CREATE INDEX order_purchase_unpaid ON order_purchase (until)
  WHERE state = 'waiting' AND next_attempt_at IS NULL;
CREATE INDEX order_purchase_waiting ON order_purchase (user_id) WHERE state = 'waiting';
CREATE INDEX order_purchase_user ON order_purchase (user_id, order_id);
GRANT SELECT, INSERT ON order_purchase TO portal_app;
GRANT UPDATE (character_id, character_name, state, reason, delivery_id, next_attempt_at, attempt, settled_at)
  ON order_purchase TO portal_app;
