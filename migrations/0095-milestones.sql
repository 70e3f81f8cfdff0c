-- expand
-- Recharge milestones: goods for the sum that a player recharges within a time. The terms never change; a programme that shall
-- have others is stopped.
CREATE TABLE milestone_program (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL CHECK (length(title) BETWEEN 3 AND 80),
  -- Recharges paid from then on, and before then, count.
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- What was reached may be taken until then.
  claims_until timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'running', 'stopped')),
  made_by bigint NOT NULL REFERENCES users (id),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  stopped_by bigint REFERENCES users (id),
  stopped_at timestamptz,
  CONSTRAINT milestone_program_span CHECK (starts_at < ends_at AND ends_at <= claims_until),
  CONSTRAINT milestone_program_started CHECK (state <> 'running' OR started_at IS NOT NULL),
  CONSTRAINT milestone_program_stopped CHECK (
    (state = 'stopped') = (stopped_at IS NOT NULL) AND (state = 'stopped') = (stopped_by IS NOT NULL)),
  -- Players see one programme at a time.
  CONSTRAINT milestone_program_alone EXCLUDE USING gist (tstzrange(starts_at, claims_until) WITH &&)
    WHERE (state = 'running')
);
CREATE INDEX milestone_program_state ON milestone_program (state, id);
GRANT SELECT, INSERT ON milestone_program TO portal_app;
GRANT UPDATE (state, started_at, stopped_by, stopped_at) ON milestone_program TO portal_app;

CREATE TABLE milestone_step (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  program_id bigint NOT NULL REFERENCES milestone_program (id),
  -- VND.
  at bigint NOT NULL CHECK (at > 0),
  goods jsonb NOT NULL CHECK (jsonb_array_length(goods) BETWEEN 1 AND 5),
  UNIQUE (program_id, at)
);
GRANT SELECT, INSERT ON milestone_step TO portal_app;

-- What a player took for a step. A reward that the game refused frees it: the row is then that of the next one.
CREATE TABLE milestone_claim (
  user_id bigint NOT NULL REFERENCES users (id),
  step_id bigint NOT NULL REFERENCES milestone_step (id),
  delivery_id uuid NOT NULL UNIQUE REFERENCES reward (delivery_id),
  PRIMARY KEY (user_id, step_id)
);
CREATE INDEX milestone_claim_step ON milestone_claim (step_id);
GRANT SELECT, INSERT ON milestone_claim TO portal_app;
GRANT UPDATE (delivery_id) ON milestone_claim TO portal_app;

ALTER TABLE proposal DROP CONSTRAINT proposal_kind_check;
ALTER TABLE proposal ADD CONSTRAINT proposal_kind_check CHECK (
  kind IN ('setting', 'planned-price', 'adjustment', 'second-factor', 'bank-transfer', 'roles', 'invite', 'give-again',
    'budget', 'promotion', 'milestones'));
