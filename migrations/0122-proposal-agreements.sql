-- expand
-- Who agreed to what was proposed about the house or its staff while others who count were asked still. It takes effect a day
-- after the proposal unless one of them refuses it.
CREATE TABLE proposal_agreement (
  proposal_id bigint NOT NULL REFERENCES proposal (id),
  operator_id bigint NOT NULL REFERENCES users (id),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 500),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (proposal_id, operator_id)
);
GRANT SELECT, INSERT ON proposal_agreement TO portal_app;
GRANT UPDATE (takes_effect_at) ON proposal TO portal_app;
