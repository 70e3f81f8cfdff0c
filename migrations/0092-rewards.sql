-- expand
-- Rewards: goods that cost nothing.

-- No row of before breaks them, so the rows need not be read while nobody may write; migration 0093 has them read.
ALTER TABLE delivery DROP CONSTRAINT delivery_kind_check, DROP CONSTRAINT delivery_amount_check;
ALTER TABLE delivery
  ADD CONSTRAINT delivery_kind_check CHECK (kind IN ('exchange', 'gift', 'again', 'reward')) NOT VALID,
  ADD CONSTRAINT delivery_amount_check CHECK (
    CASE WHEN kind IN ('again', 'reward') THEN amount = 0 ELSE amount > 0 END) NOT VALID;

-- What a reward was given for, such as a step of a programme: once for each player, unless the game refused the goods.
CREATE TABLE reward (
  delivery_id uuid PRIMARY KEY REFERENCES delivery (id),
  user_id bigint NOT NULL REFERENCES users (id),
  given_for text NOT NULL CHECK (given_for ~ '^[a-z_]+:[0-9a-z:-]{1,80}$'),
  voided_at timestamptz
);
CREATE UNIQUE INDEX reward_once ON reward (user_id, given_for) WHERE voided_at IS NULL;
GRANT SELECT, INSERT ON reward TO portal_app;
GRANT UPDATE (voided_at) ON reward TO portal_app;
