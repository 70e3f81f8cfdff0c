-- expand
-- What players ask for when they want their account erased, until somebody has decided and a worker has done it.

CREATE TABLE deletion_request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'approved', 'withdrawn', 'refused', 'carried-out')),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  due_at timestamptz NOT NULL,
  -- TCoin that may be left in the wallet: the player gives them up.
  given_up bigint NOT NULL DEFAULT 0 CHECK (given_up >= 0),
  decided_at timestamptz,
  decided_by bigint REFERENCES users (id),
  -- Why it was refused, in words to the player.
  message text CHECK (length(message) BETWEEN 1 AND 1000),
  -- What was open when a worker came to carry it out, which sent it back to the operators.
  hindered_by jsonb,
  -- The mail that says that it is being carried out: while it waits to be sent, the address is still needed.
  last_mail_id bigint,
  attempt integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT deletion_request_end CHECK ((state IN ('waiting', 'approved')) = (ended_at IS NULL)),
  CONSTRAINT deletion_request_work CHECK ((state = 'approved') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT deletion_request_decision CHECK (
    (decided_at IS NULL) = (decided_by IS NULL) AND (state NOT IN ('approved', 'refused') OR decided_at IS NOT NULL))
);
-- One that is open for each player.
CREATE UNIQUE INDEX deletion_request_open ON deletion_request (user_id) WHERE state IN ('waiting', 'approved');
CREATE INDEX deletion_request_user ON deletion_request (user_id, id DESC);
CREATE INDEX deletion_request_due ON deletion_request (due_at, id);
CREATE INDEX deletion_request_state_due ON deletion_request (state, due_at, id);
CREATE INDEX deletion_request_open_due ON deletion_request (due_at) WHERE state IN ('waiting', 'approved');
CREATE INDEX deletion_request_next ON deletion_request (next_attempt_at) WHERE state = 'approved';

CREATE TRIGGER zz_user_not_erased AFTER INSERT ON deletion_request
  FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();

GRANT SELECT, INSERT ON deletion_request TO portal_app;
GRANT UPDATE (state, decided_at, decided_by, message, hindered_by, last_mail_id, attempt, next_attempt_at, ended_at)
  ON deletion_request TO portal_app;
