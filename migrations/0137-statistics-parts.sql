-- expand
-- What the figures of an hour consist of, and who paid in it. Hours that were computed before have neither until they are
-- computed once more (has_parts).
ALTER TABLE statistics_hour
  -- VND whose credit was reversed in the hour, whenever it was credited.
  ADD COLUMN money_back_vnd bigint NOT NULL DEFAULT 0,
  -- Purchases that were settled: the game has confirmed them.
  ADD COLUMN deliveries bigint NOT NULL DEFAULT 0,
  ADD COLUMN has_parts boolean NOT NULL DEFAULT false;

-- TCoin spent by kind of purchase and by server, VND by promotion.
CREATE TABLE statistics_part (
  -- 'kind', 'server' or 'promotion'.
  dimension text NOT NULL,
  hour timestamptz NOT NULL,
  part text NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (dimension, hour, part)
);
CREATE INDEX statistics_part_hour ON statistics_part (hour);

-- How many players paid in an hour, and how much, by when each had paid before and first, in days and weeks of Vietnam.
CREATE TABLE statistics_payer (
  hour timestamptz NOT NULL,
  -- The day of the payment before those of the hour; -infinity: there was none.
  previous_day date NOT NULL,
  -- The Monday of the week of the first payment.
  first_week date NOT NULL,
  payers bigint NOT NULL,
  vnd bigint NOT NULL,
  PRIMARY KEY (hour, previous_day, first_week)
);
GRANT SELECT, INSERT, DELETE ON statistics_part, statistics_payer TO portal_app;
