-- The figures of each hour, so that no report reads the tables that grow. A job computes an hour while it lasts and twice
-- more afterwards; then it stays.

CREATE TABLE statistics_hour (
  hour timestamptz PRIMARY KEY CHECK (hour = date_trunc('hour', hour, 'UTC')),
  -- VND credited, by channel; `other` was credited without an order.
  momo_vnd bigint NOT NULL,
  vietcombank_vnd bigint NOT NULL,
  acb_vnd bigint NOT NULL,
  other_vnd bigint NOT NULL,
  -- TCoin that came into being for players, and that became the portal's for goods or activations.
  issued bigint NOT NULL,
  spent bigint NOT NULL,
  refunded bigint NOT NULL,
  -- By how much these balances changed.
  wallets_change bigint NOT NULL,
  held_change bigint NOT NULL,
  debts_change bigint NOT NULL,
  luong bigint NOT NULL,
  new_players bigint NOT NULL,
  first_recharges bigint NOT NULL,
  computed_at timestamptz NOT NULL
);

-- Who was active in an hour, day, week or month (in Vietnam), once each, and how many that were.
CREATE TABLE statistics_active_player (
  period text NOT NULL CHECK (period IN ('hour', 'day', 'week', 'month')),
  start timestamptz NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (period, start, user_id)
);
CREATE TABLE statistics_active (
  period text NOT NULL CHECK (period IN ('hour', 'day', 'week', 'month')),
  start timestamptz NOT NULL,
  players bigint NOT NULL,
  PRIMARY KEY (period, start)
);

-- One process computes at a time.
CREATE TABLE statistics_turn (id boolean PRIMARY KEY DEFAULT true CHECK (id));
INSERT INTO statistics_turn DEFAULT VALUES;

GRANT SELECT, INSERT, UPDATE ON statistics_hour, statistics_active TO portal_app;
GRANT SELECT, INSERT ON statistics_active_player TO portal_app;
GRANT SELECT, UPDATE ON statistics_turn TO portal_app;
