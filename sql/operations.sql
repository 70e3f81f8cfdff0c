-- Running the portal: what waits for a second person, limits, planned prices, maintenance, alarms, figures.

-- What one operator asked for and nobody has done yet, of whatever kind: `subject` names what it is about, `payload` says
-- what would be done. `takes_effect_at` is null where a second person has to approve.
CREATE TABLE proposal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (
    kind IN ('setting', 'planned-price', 'adjustment', 'second-factor', 'bank-transfer', 'roles', 'invite')),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 100),
  payload jsonb NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 500),
  proposed_by bigint NOT NULL REFERENCES users (id),
  proposed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  takes_effect_at timestamptz,
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'approved', 'rejected', 'withdrawn', 'effective', 'outdated')),
  decided_by bigint REFERENCES users (id),
  decided_at timestamptz,
  decision_reason text CHECK (length(decision_reason) BETWEEN 3 AND 500),
  CONSTRAINT proposal_decided CHECK ((state = 'waiting') = (decided_at IS NULL)),
  -- The second person is another person, whatever roles they hold; only the proposer withdraws; and nothing takes effect
  -- by itself that was to be approved, or before its time.
  CONSTRAINT proposal_second_person CHECK (
    CASE state WHEN 'approved' THEN decided_by IS NOT NULL AND decided_by <> proposed_by
               WHEN 'rejected' THEN decided_by IS NOT NULL AND decided_by <> proposed_by
               WHEN 'withdrawn' THEN decided_by IS NOT NULL AND decided_by = proposed_by
               WHEN 'effective' THEN decided_by IS NULL AND takes_effect_at IS NOT NULL AND decided_at >= takes_effect_at
               ELSE decided_by IS NULL END),
  -- About a bank transfer, whose id is the subject. An id in the payload is text, as all ids in JSON are; what is agreed to
  -- is whole and above nothing. A refund at the gateway says how much goes back, in VND, and no rate.
  CONSTRAINT proposal_bank_transfer CHECK (
    kind <> 'bank-transfer' OR coalesce(
      subject ~ '^[1-9][0-9]*$'
      AND (payload ->> 'coins')::bigint > 0
      AND CASE WHEN payload ->> 'act' = 'refund-at-gateway'
        THEN (payload ->> 'amount')::bigint > 0 AND NOT payload ? 'rate' AND NOT payload ? 'order_id'
        ELSE payload ->> 'act' IN ('match', 'credit', 'reverse-credit')
          AND (payload ->> 'act' = 'match') = (payload ->> 'order_id' IS NOT NULL)
          AND payload ->> 'user_id' IS NOT NULL
          AND (payload ->> 'rate')::bigint > 0
        END, false))
);
CREATE UNIQUE INDEX proposal_one_waiting ON proposal (kind, subject) WHERE state = 'waiting';
CREATE INDEX proposal_due ON proposal (takes_effect_at) WHERE state = 'waiting' AND takes_effect_at IS NOT NULL;
CREATE INDEX proposal_state ON proposal (state, id);
CREATE INDEX proposal_waiting ON proposal (proposed_at) WHERE state = 'waiting' AND kind <> 'bank-transfer';
CREATE INDEX proposal_waiting_credit ON proposal (proposed_at) WHERE state = 'waiting' AND kind = 'bank-transfer';
GRANT SELECT, INSERT ON proposal TO portal_app;
GRANT UPDATE (state, decided_by, decided_at, decision_reason) ON proposal TO portal_app;

-- Limits count the sum of a day: what an operator did alone that gave or took TCoin, or sent money back. Written in the
-- transaction of the act; what two people agreed to is not here.
CREATE TABLE limited_act (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  action text NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
  operator_id bigint NOT NULL REFERENCES users (id),
  -- Null where the money is no player's yet.
  user_id bigint REFERENCES users (id),
  -- In TCoin, whichever way it went.
  coins bigint NOT NULL CHECK (coins > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX limited_act_operator ON limited_act (operator_id, at);
CREATE INDEX limited_act_user ON limited_act (user_id, at) WHERE user_id IS NOT NULL;
GRANT SELECT, INSERT ON limited_act TO portal_app;

-- The letter of a day's acts to each owner, once.
CREATE TABLE daily_digest (
  day date NOT NULL,
  user_id bigint NOT NULL REFERENCES users (id),
  -- False on a day without such acts, of which no letter is sent.
  is_sent boolean NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (day, user_id)
);
GRANT SELECT, INSERT ON daily_digest TO portal_app;

-- A change of a price that comes by itself at its time, and goes back at another where one is named. What is open of one
-- setting never overlaps; a price that somebody has changed meanwhile is left as it is.
CREATE TABLE planned_price (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  setting text NOT NULL CHECK (length(setting) BETWEEN 1 AND 100),
  before text NOT NULL,
  after text NOT NULL,
  starts_at timestamptz NOT NULL,
  -- Null where the price stays.
  ends_at timestamptz,
  state text NOT NULL DEFAULT 'planned'
    CHECK (state IN ('planned', 'active', 'done', 'not-applied', 'not-returned', 'cancelled')),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 500),
  planned_by bigint NOT NULL REFERENCES users (id),
  planned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Null where no second person was asked.
  approved_by bigint REFERENCES users (id),
  started_at timestamptz,
  closed_at timestamptz,
  CONSTRAINT planned_price_changes CHECK (after <> before),
  CONSTRAINT planned_price_ends_later CHECK (ends_at > starts_at),
  CONSTRAINT planned_price_second_person CHECK (approved_by <> planned_by),
  -- Nothing comes before its time, and only what has begun can end.
  CONSTRAINT planned_price_started CHECK (
    CASE WHEN state IN ('active', 'done', 'not-returned') THEN coalesce(started_at >= starts_at, false)
         ELSE started_at IS NULL END),
  CONSTRAINT planned_price_closed CHECK (
    CASE WHEN state IN ('planned', 'active') THEN closed_at IS NULL
         WHEN state IN ('not-applied', 'cancelled') THEN closed_at IS NOT NULL
         ELSE coalesce(closed_at >= coalesce(ends_at, starts_at), false) END),
  CONSTRAINT planned_price_goes_back CHECK (state NOT IN ('active', 'not-returned') OR ends_at IS NOT NULL)
);
-- What is open is little, and looked for by setting and by time.
CREATE INDEX planned_price_open ON planned_price (setting) WHERE state IN ('planned', 'active');
CREATE INDEX planned_price_state ON planned_price (state, id);
GRANT SELECT, INSERT ON planned_price TO portal_app;
GRANT UPDATE (state, started_at, closed_at) ON planned_price TO portal_app;

-- Filters and sorting of lists that operators saved for themselves, each under a name; nobody else reads them.
CREATE TABLE saved_filter (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  list text NOT NULL CHECK (list ~ '^[a-z-]{1,40}$'),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  query jsonb NOT NULL CHECK (length(query::text) <= 6000),
  UNIQUE (user_id, list, name)
);
GRANT SELECT, INSERT, DELETE, UPDATE (name) ON saved_filter TO portal_app;

-- What is closed for players. A section without a message is open.
CREATE TABLE maintenance (
  section text PRIMARY KEY CHECK (section IN ('all', 'recharge', 'exchange', 'gift', 'transfer')),
  message text CHECK (length(message) BETWEEN 3 AND 300),
  -- It ends by itself then; null: when an operator says so.
  until timestamptz,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT maintenance_until CHECK (until IS NULL OR message IS NOT NULL)
);
INSERT INTO maintenance (section) VALUES ('all'), ('recharge'), ('exchange'), ('gift'), ('transfer');
GRANT SELECT, UPDATE ON maintenance TO portal_app;

-- What was said of each alarm to the webhook of the owner, and what is still to be said: at most one message for each,
-- since a newer one replaces one that waits. Kept here, so that of several workers one speaks.
CREATE TABLE alarm_notice (
  name text PRIMARY KEY,
  looked_at timestamptz NOT NULL DEFAULT '-infinity',
  -- Null while nothing is wrong.
  began_at timestamptz,
  told_count integer CHECK (told_count > 0),
  told_at timestamptz,
  -- The message that waits, under the id by which its receiver knows a repeat.
  message_id uuid,
  message jsonb,
  attempt integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  CONSTRAINT alarm_notice_told CHECK (num_nulls(began_at, told_count, told_at) IN (0, 3)),
  CONSTRAINT alarm_notice_message CHECK ((message_id IS NULL) = (message IS NULL))
);
GRANT SELECT, INSERT, UPDATE ON alarm_notice TO portal_app;

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
  computed_at timestamptz NOT NULL,
  -- How long the oldest money that nobody had decided about had waited, at most during the hour, in seconds. It is seen only
  -- while the hour lasts: what waited then cannot be told later. Null: nobody looked.
  unmatched_age_s bigint CHECK (unmatched_age_s >= 0)
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
