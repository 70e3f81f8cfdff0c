-- expand
-- Tournament day: players register teams themselves and pay the fee in the game, the draw can be checked by anybody, and
-- every act of the desk is an event that spectators follow and that can be undone.

ALTER TABLE tournaments
  -- Only characters of this server; null: of any.
  ADD COLUMN server_id text REFERENCES servers (id),
  ADD COLUMN substitutes smallint NOT NULL DEFAULT 0 CHECK (substitutes BETWEEN 0 AND 2),
  -- Who pays the fee: the captain all of it, or each member a share.
  ADD COLUMN fee_payer text NOT NULL DEFAULT 'captain' CHECK (fee_payer IN ('captain', 'member')),
  -- How long before the competition teams check in; 0: they do not have to.
  ADD COLUMN check_in_minutes integer NOT NULL DEFAULT 0 CHECK (check_in_minutes BETWEEN 0 AND 1440),
  -- Registration opened, or closed, before its date.
  ADD COLUMN opened_at timestamptz,
  ADD COLUMN closed_at timestamptz,
  -- Made by the database with the row, and published after the draw; only its hash is public before.
  ADD COLUMN draw_secret text NOT NULL CHECK (draw_secret ~ '^[0-9a-f]{64}$')
    DEFAULT encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'),
  ADD COLUMN draw_commitment text NOT NULL
    GENERATED ALWAYS AS (encode(sha256(decode(draw_secret, 'hex')), 'hex')) STORED,
  -- The closed list of teams that the draw was made from: [{id, digest, seed}], in the order of their ids.
  ADD COLUMN drawn_list jsonb,
  ADD COLUMN drawn_at timestamptz,
  -- How many teams of the draw are public by the referee's button; from reveal_from on one more every three seconds
  -- (mode 0), or all of them (mode 1).
  ADD COLUMN revealed integer NOT NULL DEFAULT 0 CHECK (revealed >= 0),
  ADD COLUMN reveal_from timestamptz,
  ADD COLUMN paused_at timestamptz,
  -- With a champion, or without one where nobody was left.
  ADD COLUMN finished_at timestamptz,
  ADD CONSTRAINT tournaments_finished CHECK (finished_at IS NULL OR (current_round > 0 AND cancelled_at IS NULL)),
  ADD CONSTRAINT tournaments_drawn CHECK ((drawn_at IS NULL) = (drawn_list IS NULL));
UPDATE tournaments SET finished_at = updated_at WHERE winning_team_id IS NOT NULL;

-- The secret of a draw stays what its published hash says.
CREATE FUNCTION refuse_another_draw_secret() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the secret of a draw never changes' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER tournaments_draw_secret BEFORE UPDATE OF draw_secret ON tournaments
  FOR EACH ROW WHEN (NEW.draw_secret IS DISTINCT FROM OLD.draw_secret) EXECUTE FUNCTION refuse_another_draw_secret();

ALTER TABLE teams
  -- held: has its place while invited players answer and the fee is paid. waiting: for a place, in the order of ids.
  ADD COLUMN state text NOT NULL DEFAULT 'admitted'
    CHECK (state IN ('held', 'admitted', 'waiting', 'withdrawn')),
  -- Null: entered by an operator.
  ADD COLUMN captain_id bigint REFERENCES users (id),
  ADD COLUMN held_until timestamptz,
  ADD COLUMN checked_in_at timestamptz,
  -- Seeded teams are drawn apart, 1 being the strongest.
  ADD COLUMN seed integer CHECK (seed BETWEEN 1 AND 4096),
  -- From 1, once drawn.
  ADD COLUMN draw_position integer CHECK (draw_position BETWEEN 1 AND 4096),
  ADD COLUMN withdrawn_at timestamptz,
  ADD COLUMN withdrawn_for text
    CHECK (withdrawn_for IN ('left', 'expired', 'absent', 'not-admitted', 'operator', 'cancelled')),
  ADD CONSTRAINT teams_held CHECK ((state = 'held') = (held_until IS NOT NULL)),
  ADD CONSTRAINT teams_withdrawn CHECK (
    (state = 'withdrawn') = (withdrawn_at IS NOT NULL) AND (state = 'withdrawn') = (withdrawn_for IS NOT NULL)),
  ADD CONSTRAINT teams_drawn CHECK (draw_position IS NULL OR state = 'admitted');
-- A team that withdrew frees its name.
DROP INDEX teams_name;
CREATE UNIQUE INDEX teams_name ON teams (tournament_id, lower(name)) WHERE state <> 'withdrawn';
CREATE UNIQUE INDEX teams_seed ON teams (tournament_id, seed) WHERE seed IS NOT NULL AND state <> 'withdrawn';
CREATE UNIQUE INDEX teams_draw_position ON teams (tournament_id, draw_position) WHERE draw_position IS NOT NULL;
CREATE INDEX teams_state ON teams (tournament_id, state, id);
CREATE INDEX teams_captain ON teams (captain_id, id) WHERE captain_id IS NOT NULL;
-- Places that may run out.
CREATE INDEX teams_held ON teams (held_until) WHERE state = 'held';

ALTER TABLE team_members
  -- Null, like the character's id and server: entered by an operator, by name.
  ADD COLUMN user_id bigint REFERENCES users (id),
  ADD COLUMN server_id text REFERENCES servers (id),
  ADD COLUMN character_id text CHECK (length(character_id) BETWEEN 1 AND 64),
  ADD COLUMN class_id integer,
  ADD COLUMN level integer,
  ADD COLUMN is_substitute boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT team_members_position_check,
  ADD CONSTRAINT team_members_position_check CHECK (position BETWEEN 1 AND 8),
  ADD CONSTRAINT team_members_character CHECK (
    (user_id IS NULL) = (character_id IS NULL) AND (user_id IS NULL) = (server_id IS NULL));
-- Names are unique on one server only.
DROP INDEX team_members_once;
CREATE UNIQUE INDEX team_members_once
  ON team_members (tournament_id, coalesce(server_id, ''), lower(character_name));
CREATE UNIQUE INDEX team_members_character ON team_members (tournament_id, server_id, character_id)
  WHERE character_id IS NOT NULL;
-- A player plays for one team of a tournament.
CREATE UNIQUE INDEX team_members_player ON team_members (tournament_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX team_members_user ON team_members (user_id, tournament_id) WHERE user_id IS NOT NULL;

-- Players whom a captain asked to play. Who accepts becomes a member.
CREATE TABLE team_invitations (
  team_id bigint NOT NULL,
  tournament_id bigint NOT NULL,
  user_id bigint NOT NULL REFERENCES users (id),
  state text NOT NULL DEFAULT 'invited' CHECK (state IN ('invited', 'accepted', 'declined')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (team_id, user_id),
  FOREIGN KEY (tournament_id, team_id) REFERENCES teams (tournament_id, id) ON DELETE CASCADE
);
CREATE INDEX team_invitations_user ON team_invitations (user_id, state, created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON team_invitations TO portal_app;

-- Fees taken from characters in the game. A worker sends each until the game has decided; `refunding` is sent until the
-- game answers that it is given back, or that it never will be taken.
CREATE TABLE tournament_charges (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tournament_id bigint NOT NULL,
  team_id bigint NOT NULL,
  user_id bigint NOT NULL REFERENCES users (id),
  server_id text NOT NULL CHECK (length(server_id) BETWEEN 1 AND 64),
  account text NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  character_id text NOT NULL CHECK (length(character_id) BETWEEN 1 AND 64),
  luong bigint NOT NULL CHECK (luong BETWEEN 1 AND 1000000000),
  state text NOT NULL DEFAULT 'pending'
    CHECK (state IN ('pending', 'applied', 'refused', 'refunding', 'refunded')),
  -- Why the game refused it, or why it is given back.
  reason text CHECK (length(reason) <= 200),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- Also how long it is left to the worker that has taken it.
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When the game took it, if it is known to have.
  applied_at timestamptz,
  refunded_at timestamptz,
  CONSTRAINT tournament_charges_applied CHECK (state <> 'applied' OR applied_at IS NOT NULL),
  CONSTRAINT tournament_charges_refunded CHECK ((state = 'refunded') = (refunded_at IS NOT NULL)),
  FOREIGN KEY (tournament_id, team_id) REFERENCES teams (tournament_id, id)
);
-- One member of a team pays once at a time.
CREATE UNIQUE INDEX tournament_charges_once ON tournament_charges (team_id, user_id)
  WHERE state IN ('pending', 'applied');
CREATE INDEX tournament_charges_due ON tournament_charges (next_attempt_at)
  WHERE state IN ('pending', 'refunding');
CREATE INDEX tournament_charges_tournament ON tournament_charges (tournament_id, state);
CREATE INDEX tournament_charges_user ON tournament_charges (user_id, created_at);
GRANT SELECT, INSERT ON tournament_charges TO portal_app;
GRANT UPDATE (state, reason, attempts, next_attempt_at, applied_at, refunded_at, account, character_id)
  ON tournament_charges TO portal_app;

ALTER TABLE matches
  -- The teams were called to play and have a minute to be there.
  ADD COLUMN called_at timestamptz,
  ADD COLUMN team1_present boolean NOT NULL DEFAULT false,
  ADD COLUMN team2_present boolean NOT NULL DEFAULT false,
  -- Neither came, or nobody was left to come: it is decided, and nobody goes on.
  ADD COLUMN is_void boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT matches_void CHECK (NOT is_void OR winning_team_id IS NULL);

-- What changed a tournament, one row an act, numbered without gaps: spectators resume after the last number they have.
CREATE TABLE tournament_events (
  tournament_id bigint NOT NULL REFERENCES tournaments (id),
  number integer NOT NULL CHECK (number > 0),
  kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Null: a player, or the passing of time.
  operator_id bigint REFERENCES users (id),
  -- What is different now, by ids, as spectators are sent it.
  change jsonb NOT NULL,
  -- The rows as they were, where the act can be undone.
  before jsonb,
  -- The number of the act that undid this one.
  undone_by integer,
  PRIMARY KEY (tournament_id, number),
  CONSTRAINT tournament_events_undone CHECK (undone_by IS NULL OR (undone_by > number AND before IS NOT NULL))
);
CREATE INDEX tournament_events_at ON tournament_events (at);
GRANT SELECT, INSERT, DELETE ON tournament_events TO portal_app;
GRANT UPDATE (undone_by) ON tournament_events TO portal_app;

-- What the embedded game took from its characters, one row for each charge it has decided.
CREATE TABLE game.charges (
  id uuid PRIMARY KEY,
  body_hash bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('applied', 'refused', 'refunded')),
  reason text,
  -- What a refund gives back, and to whom; null where nothing was taken.
  character_id bigint REFERENCES game.characters (id),
  luong bigint CHECK (luong > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT charges_taken CHECK ((character_id IS NULL) = (luong IS NULL) AND (status <> 'applied' OR luong IS NOT NULL))
);
GRANT SELECT, INSERT ON game.charges TO portal_app;
GRANT UPDATE (status) ON game.charges TO portal_app;
