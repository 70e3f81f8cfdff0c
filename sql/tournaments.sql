-- Tournaments: who plays whom, round by round. Rounds count from 1; with teams up to 2^max_round there are
-- max_round + 1 of them, the last the final, the one before it the match for the third place.

CREATE TABLE tournaments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  registration_start_at timestamptz NOT NULL,
  competition_start_at timestamptz NOT NULL,
  -- 0: the draw is streamed live. 1: the bracket is published on the day.
  mode smallint NOT NULL CHECK (mode IN (0, 1)),
  -- In luong.
  fee bigint NOT NULL DEFAULT 0 CHECK (fee BETWEEN 0 AND 1000000000),
  -- 1: single duel. 2, 3, 4: groups of 4, 5, 6.
  type smallint NOT NULL CHECK (type BETWEEN 1 AND 4),
  min_level integer NOT NULL DEFAULT 1,
  max_level integer NOT NULL DEFAULT 200,
  -- 0: as many teams as come; the rounds follow from the draw.
  max_round integer NOT NULL CHECK (max_round BETWEEN 0 AND 12),
  -- 0: nothing is drawn yet.
  current_round integer NOT NULL DEFAULT 0 CHECK (current_round BETWEEN 0 AND 32),
  allowed_classes smallint[] NOT NULL DEFAULT '{0,1,2,3,4,5,6}',
  -- The champion; a tournament that has one is over.
  winning_team_id bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  cancelled_at timestamptz,
  -- The random seed of the draw: with it and the teams' ids anybody can draw the same bracket again.
  draw_seed text CHECK (draw_seed ~ '^[0-9a-f]{64}$'),
  -- Rises with each change, so that an operator's change of what has changed since is noticed.
  updated_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  -- What it is played for, and how a team takes part, in the words of its organisers; empty while they say nothing.
  prize text NOT NULL DEFAULT '' CHECK (length(prize) <= 300),
  how_to_register text NOT NULL DEFAULT '' CHECK (length(how_to_register) <= 1000),
  CONSTRAINT tournaments_cancelled CHECK (cancelled_at IS NULL OR winning_team_id IS NULL),
  CONSTRAINT tournaments_dates CHECK (registration_start_at < competition_start_at),
  CONSTRAINT tournaments_levels CHECK (1 <= min_level AND min_level <= max_level AND max_level <= 200),
  CONSTRAINT tournaments_rounds CHECK (max_round = 0 OR current_round <= max_round + 1),
  CONSTRAINT tournaments_classes CHECK (
    cardinality(allowed_classes) BETWEEN 1 AND 7 AND allowed_classes <@ '{0,1,2,3,4,5,6}'::smallint[]),
  CONSTRAINT tournaments_winner_after_draw CHECK (winning_team_id IS NULL OR current_round > 0)
);
CREATE INDEX tournaments_newest ON tournaments (competition_start_at DESC, id DESC);

CREATE TABLE teams (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tournament_id bigint NOT NULL REFERENCES tournaments (id),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Lets matches refer to teams of their own tournament only.
  CONSTRAINT teams_of_tournament UNIQUE (tournament_id, id)
);
CREATE UNIQUE INDEX teams_name ON teams (tournament_id, lower(name));

ALTER TABLE tournaments ADD CONSTRAINT tournaments_winner
  FOREIGN KEY (id, winning_team_id) REFERENCES teams (tournament_id, id);

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
-- A member of a team is found by the character's name in all tournaments.
CREATE INDEX team_members_name ON team_members (lower(character_name));

CREATE TABLE matches (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tournament_id bigint NOT NULL REFERENCES tournaments (id),
  round integer NOT NULL CHECK (round BETWEEN 1 AND 32),
  -- Its place in the round, from 1.
  position integer NOT NULL CHECK (position BETWEEN 1 AND 65536),
  -- Null while the matches that decide it are not played.
  team1_id bigint,
  team2_id bigint,
  team1_win_count integer NOT NULL DEFAULT 0 CHECK (team1_win_count BETWEEN 0 AND 5),
  team2_win_count integer NOT NULL DEFAULT 0 CHECK (team2_win_count BETWEEN 0 AND 5),
  winning_team_id bigint,
  -- Which side did not come, where one did not: the other one goes on.
  absent_side smallint CHECK (absent_side IN (1, 2)),
  updated_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  CONSTRAINT matches_place UNIQUE (tournament_id, round, position),
  CONSTRAINT matches_two_teams CHECK (team1_id <> team2_id),
  CONSTRAINT matches_team1 FOREIGN KEY (tournament_id, team1_id) REFERENCES teams (tournament_id, id),
  CONSTRAINT matches_team2 FOREIGN KEY (tournament_id, team2_id) REFERENCES teams (tournament_id, id),
  -- One of the two that met. Equal wins only when the other side was absent, which an operator decides.
  CONSTRAINT matches_winner CHECK (
    winning_team_id IS NULL
    OR (winning_team_id IS NOT DISTINCT FROM team1_id AND team1_win_count >= team2_win_count)
    OR (winning_team_id IS NOT DISTINCT FROM team2_id AND team2_win_count >= team1_win_count))
);
CREATE INDEX matches_of_team1 ON matches (tournament_id, team1_id);
CREATE INDEX matches_of_team2 ON matches (tournament_id, team2_id);

GRANT SELECT, INSERT, UPDATE ON tournaments, teams, matches TO portal_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON team_members TO portal_app;
-- Only before the draw: afterwards matches refer to them.
GRANT DELETE ON teams TO portal_app;
