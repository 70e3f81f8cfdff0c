-- expand
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

-- Two people are two people: who gave a role, null for the command line, and invitations that count for nothing until a
-- second person has agreed.
ALTER TABLE user_roles ADD COLUMN granted_by bigint REFERENCES users (id);
ALTER TABLE staff_invite ADD COLUMN is_waiting boolean NOT NULL DEFAULT false;
GRANT UPDATE (is_waiting, expires_at) ON staff_invite TO portal_app;
ALTER TABLE proposal DROP CONSTRAINT proposal_kind_check;
ALTER TABLE proposal ADD CONSTRAINT proposal_kind_check CHECK (
  kind IN ('setting', 'adjustment', 'second-factor', 'bank-transfer', 'roles', 'invite'));

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
