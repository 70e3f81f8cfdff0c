-- expand
-- Goods that the game does not have any more, since it was set back to an older copy, are given again by a new delivery
-- that names the one it replaces. It costs nothing, so that no TCoin are held, settled or refunded for it.
ALTER TABLE delivery ADD COLUMN replaces uuid REFERENCES delivery (id);
ALTER TABLE delivery DROP CONSTRAINT delivery_kind_check, DROP CONSTRAINT delivery_amount_check;
-- No row of before breaks them, so the rows need not be read while nobody may write; migration 0081 has them read.
ALTER TABLE delivery
  ADD CONSTRAINT delivery_kind_check CHECK (kind IN ('exchange', 'gift', 'again')) NOT VALID,
  ADD CONSTRAINT delivery_amount_check CHECK (CASE kind WHEN 'again' THEN amount = 0 ELSE amount > 0 END) NOT VALID,
  ADD CONSTRAINT delivery_replaces CHECK ((kind = 'again') = (replaces IS NOT NULL)) NOT VALID;

-- A comparison of what the portal calls delivered with what the game knows. A worker goes through the deliveries in the
-- order of purchase, a page at a time, and notes how far it came.
CREATE TABLE game_comparison (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null: started on the command line.
  started_by bigint REFERENCES users (id),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Only what was bought for this server; null: for any.
  server_id text CHECK (length(server_id) <= 64),
  since timestamptz NOT NULL,
  until timestamptz NOT NULL,
  -- The last delivery that was looked at.
  reached_at timestamptz,
  reached_id uuid,
  asked integer NOT NULL DEFAULT 0 CHECK (asked >= 0),
  missing integer NOT NULL DEFAULT 0 CHECK (missing >= 0),
  -- Pages in a row about which the game did not answer.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- Until then one worker asks about the next page.
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'failed', 'too-many')),
  finished_at timestamptz,
  CONSTRAINT game_comparison_finished CHECK ((state = 'running') = (finished_at IS NULL)),
  CONSTRAINT game_comparison_reached CHECK ((reached_at IS NULL) = (reached_id IS NULL)),
  CONSTRAINT game_comparison_span CHECK (since < until)
);
CREATE UNIQUE INDEX game_comparison_one_running ON game_comparison (state) WHERE state = 'running';
GRANT SELECT, INSERT, DELETE ON game_comparison TO portal_app;
GRANT UPDATE (reached_at, reached_id, asked, missing, failures, lease_until, state, finished_at)
  ON game_comparison TO portal_app;

-- What a comparison found missing in the game.
CREATE TABLE missing_delivery (
  comparison_id bigint NOT NULL REFERENCES game_comparison (id),
  delivery_id uuid NOT NULL REFERENCES delivery (id),
  server_id text NOT NULL,
  -- When the delivery was made: the order of the operators' list.
  bought_at timestamptz NOT NULL,
  PRIMARY KEY (comparison_id, delivery_id)
);
CREATE INDEX missing_delivery_order ON missing_delivery (comparison_id, bought_at, delivery_id);
CREATE INDEX missing_delivery_server ON missing_delivery (comparison_id, server_id, bought_at, delivery_id);
GRANT SELECT, INSERT, DELETE ON missing_delivery TO portal_app;

-- Deliveries that an operator wants to be given again by one act; what a second person approves names it.
CREATE TABLE give_again_batch (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_ids uuid[] NOT NULL CHECK (cardinality(delivery_ids) BETWEEN 1 AND 500),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT ON give_again_batch TO portal_app;

ALTER TABLE proposal DROP CONSTRAINT proposal_kind_check;
ALTER TABLE proposal ADD CONSTRAINT proposal_kind_check CHECK (
  kind IN ('setting', 'planned-price', 'adjustment', 'second-factor', 'bank-transfer', 'roles', 'invite', 'give-again'));
