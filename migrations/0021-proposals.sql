-- Changes of money settings wait for a second person, and take a second factor that was proved just now.

-- When this session's holder last proved the second factor anew (step-up), after the sign-in.
ALTER TABLE sessions ADD COLUMN step_up_at timestamptz;

-- What one operator asked for and nobody has done yet, of whatever kind: `subject` names what it is about, `payload` says
-- what would be done. `takes_effect_at` is null where a second person has to approve.
CREATE TABLE proposal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('setting')),
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
               ELSE decided_by IS NULL END)
);
CREATE UNIQUE INDEX proposal_one_waiting ON proposal (kind, subject) WHERE state = 'waiting';
CREATE INDEX proposal_due ON proposal (takes_effect_at) WHERE state = 'waiting' AND takes_effect_at IS NOT NULL;
CREATE INDEX proposal_state ON proposal (state, id);

GRANT SELECT, INSERT ON proposal TO portal_app;
GRANT UPDATE (state, decided_by, decided_at, decision_reason) ON proposal TO portal_app;
