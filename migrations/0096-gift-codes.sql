-- expand
-- Gift codes: goods, or TCoin out of a budget, for those who type a code.

-- No row of before breaks them, so the rows need not be read while nobody may write; migration 0097 has them read.
ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_kind_check;
ALTER TABLE ledger_transfer ADD CONSTRAINT ledger_transfer_kind_check CHECK (kind IN (
  'recharge', 'p2p', 'activation', 'exchange_hold', 'exchange_settle', 'exchange_refund', 'gift_hold', 'gift_settle',
  'gift_refund', 'adjustment', 'reversal', 'debt', 'debt_settle', 'opening', 'budget', 'bonus_hold', 'bonus',
  'bonus_release', 'gift_code_hold', 'gift_code', 'gift_code_release', 'invitation')) NOT VALID;
ALTER TABLE proposal DROP CONSTRAINT proposal_kind_check;
ALTER TABLE proposal ADD CONSTRAINT proposal_kind_check CHECK (
  kind IN ('setting', 'planned-price', 'adjustment', 'second-factor', 'bank-transfer', 'roles', 'invite', 'give-again',
    'budget', 'promotion', 'milestones', 'gift-codes'));

-- Codes that were made together and give the same. What they give never changes; a batch that shall give something else is stopped.
CREATE TABLE gift_code_batch (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL CHECK (length(title) BETWEEN 3 AND 80),
  -- What each use gives: TCoin out of a budget, or goods.
  coins bigint CHECK (coins > 0),
  budget_id bigint REFERENCES budget (id),
  goods jsonb CHECK (jsonb_array_length(goods) BETWEEN 1 AND 5),
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  codes integer NOT NULL CHECK (codes BETWEEN 1 AND 10000),
  uses_per_code integer NOT NULL CHECK (uses_per_code BETWEEN 1 AND 1000000),
  per_player integer NOT NULL CHECK (per_player BETWEEN 1 AND 100),
  -- Null: players of all servers.
  server_id text REFERENCES servers (id),
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'running', 'stopped')),
  uses integer NOT NULL DEFAULT 0,
  -- TCoin held for uses to come: from the start until the end.
  held bigint NOT NULL DEFAULT 0,
  made_by bigint NOT NULL REFERENCES users (id),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  stopped_by bigint REFERENCES users (id),
  stopped_at timestamptz,
  CONSTRAINT gift_code_batch_span CHECK (starts_at < ends_at),
  CONSTRAINT gift_code_batch_gives CHECK (
    (coins IS NULL) = (goods IS NOT NULL) AND (coins IS NULL) = (budget_id IS NULL)),
  CONSTRAINT gift_code_batch_within_total CHECK (uses BETWEEN 0 AND codes * uses_per_code::bigint),
  CONSTRAINT gift_code_batch_held CHECK (
    held = 0 OR held = coalesce(coins, 0) * (codes * uses_per_code::bigint - uses)),
  CONSTRAINT gift_code_batch_started CHECK (state <> 'running' OR started_at IS NOT NULL),
  CONSTRAINT gift_code_batch_stopped CHECK (
    (state = 'stopped') = (stopped_at IS NOT NULL) AND (state = 'stopped') = (stopped_by IS NOT NULL)),
  -- What codes and uses refer to, so that each has the limit of its batch.
  CONSTRAINT gift_code_batch_code_limit UNIQUE (id, uses_per_code),
  CONSTRAINT gift_code_batch_player_limit UNIQUE (id, per_player)
);
CREATE INDEX gift_code_batch_held_until ON gift_code_batch (ends_at) WHERE held > 0;
CREATE INDEX gift_code_batch_state ON gift_code_batch (state, id);
CREATE INDEX gift_code_batch_budget ON gift_code_batch (budget_id) WHERE held > 0;
GRANT SELECT, INSERT ON gift_code_batch TO portal_app;
GRANT UPDATE (state, uses, held, started_at, stopped_by, stopped_at) ON gift_code_batch TO portal_app;

-- A code is known by its keyed hash only.
CREATE TABLE gift_code (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  batch_id bigint NOT NULL,
  uses_max integer NOT NULL,
  uses integer NOT NULL DEFAULT 0,
  FOREIGN KEY (batch_id, uses_max) REFERENCES gift_code_batch (id, uses_per_code),
  CONSTRAINT gift_code_of_batch UNIQUE (batch_id, id),
  CONSTRAINT gift_code_within_limit CHECK (uses BETWEEN 0 AND uses_max)
);
GRANT SELECT, INSERT ON gift_code TO portal_app;
GRANT UPDATE (uses) ON gift_code TO portal_app;

-- What a player was given by a code.
CREATE TABLE gift_code_use (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  batch_id bigint NOT NULL,
  code_id bigint NOT NULL,
  user_id bigint NOT NULL REFERENCES users (id),
  -- The player's first, second … of the batch.
  number integer NOT NULL,
  per_player integer NOT NULL,
  used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  FOREIGN KEY (batch_id, per_player) REFERENCES gift_code_batch (id, per_player),
  FOREIGN KEY (batch_id, code_id) REFERENCES gift_code (batch_id, id),
  CONSTRAINT gift_code_use_number UNIQUE (batch_id, user_id, number),
  CONSTRAINT gift_code_use_within_limit CHECK (number BETWEEN 1 AND per_player)
);
CREATE INDEX gift_code_use_batch ON gift_code_use (batch_id, id);
CREATE INDEX gift_code_use_user ON gift_code_use (user_id, id);
CREATE INDEX gift_code_use_code ON gift_code_use (code_id);
GRANT SELECT, INSERT ON gift_code_use TO portal_app;
