-- expand
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

ALTER TABLE proposal DROP CONSTRAINT proposal_kind_check;
ALTER TABLE proposal ADD CONSTRAINT proposal_kind_check CHECK (
  kind IN ('setting', 'planned-price', 'adjustment', 'second-factor', 'bank-transfer', 'roles', 'invite'));
