-- Tournaments run by operators: teams with members, a draw that can be repeated, results with absences, a cancellation.

ALTER TABLE tournaments
  ADD cancelled_at timestamptz,
  -- The random seed of the draw: with it and the teams' ids anybody can draw the same bracket again.
  ADD draw_seed text CHECK (draw_seed ~ '^[0-9a-f]{64}$'),
  -- Rises with each change, so that an operator's change of what has changed since is noticed.
  ADD updated_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  ADD CONSTRAINT tournaments_cancelled CHECK (cancelled_at IS NULL OR winning_team_id IS NULL);

-- The characters that play for a team; one plays for one team of a tournament.
CREATE TABLE team_members (
  tournament_id bigint NOT NULL,
  team_id bigint NOT NULL,
  -- From 1, in the order in which they were named.
  position smallint NOT NULL CHECK (position BETWEEN 1 AND 6),
  character_name text NOT NULL CHECK (length(character_name) BETWEEN 1 AND 40),
  PRIMARY KEY (team_id, position),
  FOREIGN KEY (tournament_id, team_id) REFERENCES teams (tournament_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX team_members_once ON team_members (tournament_id, lower(character_name));

-- Which side did not come, where one did not: the other one goes on.
ALTER TABLE matches
  ADD absent_side smallint CHECK (absent_side IN (1, 2)),
  ADD updated_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp());

GRANT SELECT, INSERT, UPDATE, DELETE ON team_members TO portal_app;
-- Only before the draw: afterwards matches refer to them.
GRANT DELETE ON teams TO portal_app;
