-- expand
-- Beside those who write.
ALTER TABLE ledger_account VALIDATE CONSTRAINT ledger_account_kind_check;
ALTER TABLE ledger_transfer VALIDATE CONSTRAINT ledger_transfer_kind_check;

-- Promotions: TCoin added to recharges. The terms never change; one that shall have others is stopped.
CREATE TABLE promotion (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL CHECK (length(title) BETWEEN 3 AND 80),
  budget_id bigint NOT NULL REFERENCES budget (id),
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('percent', 'fixed', 'steps')),
  percent smallint CHECK (percent BETWEEN 1 AND 100),
  -- TCoin.
  amount bigint CHECK (amount > 0),
  -- [{"from": VND, "amount": TCoin}], rising.
  steps jsonb CHECK (jsonb_array_length(steps) BETWEEN 1 AND 10),
  -- VND.
  minimum bigint NOT NULL CHECK (minimum >= 0),
  -- TCoin.
  cap_per_player bigint NOT NULL CHECK (cap_per_player > 0),
  cap_total bigint NOT NULL,
  is_first_recharge boolean NOT NULL,
  -- Null: any.
  channel smallint CHECK (channel IN (1, 2, 3)),
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'running', 'stopped')),
  -- TCoin promised or given, without what went back to the budget.
  given bigint NOT NULL DEFAULT 0,
  made_by bigint NOT NULL REFERENCES users (id),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  stopped_by bigint REFERENCES users (id),
  stopped_at timestamptz,
  CONSTRAINT promotion_span CHECK (starts_at < ends_at),
  CONSTRAINT promotion_terms CHECK (
    (kind = 'percent') = (percent IS NOT NULL) AND (kind = 'fixed') = (amount IS NOT NULL)
    AND (kind = 'steps') = (steps IS NOT NULL) AND (kind <> 'steps' OR minimum = 0)),
  CONSTRAINT promotion_caps CHECK (cap_total >= cap_per_player),
  CONSTRAINT promotion_within_cap CHECK (given BETWEEN 0 AND cap_total),
  CONSTRAINT promotion_started CHECK (state <> 'running' OR started_at IS NOT NULL),
  CONSTRAINT promotion_stopped CHECK (
    (state = 'stopped') = (stopped_at IS NOT NULL) AND (state = 'stopped') = (stopped_by IS NOT NULL)),
  -- What rows of players refer to, so that each has the cap of its promotion.
  CONSTRAINT promotion_cap UNIQUE (id, cap_per_player)
);
CREATE INDEX promotion_running ON promotion (ends_at) WHERE state = 'running';
CREATE INDEX promotion_state ON promotion (state, id);
CREATE INDEX promotion_budget ON promotion (budget_id, id);
GRANT SELECT, INSERT ON promotion TO portal_app;
GRANT UPDATE (state, given, started_at, stopped_by, stopped_at) ON promotion TO portal_app;

-- What a player was promised or given by a promotion, without what went back.
CREATE TABLE promotion_use (
  promotion_id bigint NOT NULL,
  user_id bigint NOT NULL REFERENCES users (id),
  cap bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (promotion_id, user_id),
  FOREIGN KEY (promotion_id, cap) REFERENCES promotion (id, cap_per_player),
  CONSTRAINT promotion_use_within_cap CHECK (amount BETWEEN 0 AND cap)
);
CREATE INDEX promotion_use_players ON promotion_use (promotion_id) WHERE amount > 0;
GRANT SELECT, INSERT ON promotion_use TO portal_app;
GRANT UPDATE (amount) ON promotion_use TO portal_app;

-- What an order was promised besides its TCoin. The promise is moved out of the budget at once and held for the order.
CREATE TABLE order_bonus (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL UNIQUE REFERENCES payment_order (id),
  promotion_id bigint NOT NULL REFERENCES promotion (id),
  user_id bigint NOT NULL REFERENCES users (id),
  is_first_recharge boolean NOT NULL,
  promised bigint NOT NULL CHECK (promised > 0),
  -- TCoin that are held for it now; what is left when the promise is over goes back to the budget.
  held bigint NOT NULL CHECK (held >= 0),
  granted bigint NOT NULL DEFAULT 0 CHECK (granted >= 0),
  state text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'granted', 'released')),
  -- From then on a worker takes back what is held, unless money for the order is being checked.
  hold_until timestamptz NOT NULL,
  -- How often a grant was reversed: each next one is an operation of its own to the ledger.
  reversals integer NOT NULL DEFAULT 0 CHECK (reversals >= 0),
  -- The ledger transfer by which the player has it.
  transfer_id bigint UNIQUE REFERENCES ledger_transfer (id),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT order_bonus_promise CHECK (held + granted <= promised),
  CONSTRAINT order_bonus_granted CHECK (
    (state = 'granted') = (granted > 0) AND (state = 'granted') = (transfer_id IS NOT NULL))
);
CREATE INDEX order_bonus_due ON order_bonus (hold_until) WHERE held > 0;
CREATE INDEX order_bonus_promotion ON order_bonus (promotion_id, state);
CREATE INDEX order_bonus_user ON order_bonus (user_id, id);
CREATE UNIQUE INDEX order_bonus_first_once ON order_bonus (promotion_id, user_id)
  WHERE is_first_recharge AND state IN ('held', 'granted');
GRANT SELECT, INSERT ON order_bonus TO portal_app;
GRANT UPDATE (held, granted, state, hold_until, reversals, transfer_id) ON order_bonus TO portal_app;
