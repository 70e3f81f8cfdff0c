-- expand
-- A tournament is drawn by its closed list and a random number that nobody has before: the list is stored when registration
-- closes, with its digest and the round of the public beacon that will draw it, and stays as it is from then on.

CREATE TABLE tournament_draw (
  tournament_id bigint PRIMARY KEY REFERENCES tournaments (id),
  closed_at timestamptz NOT NULL,
  -- The closed list: [{id, digest, seed, has_place}], in the order of their ids.
  list jsonb NOT NULL,
  list_digest text NOT NULL CHECK (list_digest ~ '^[0-9a-f]{64}$'),
  -- The beacon and its round, both fixed by the close.
  chain jsonb NOT NULL,
  round bigint NOT NULL CHECK (round > 0),
  -- What the beacon signed of the round; null before the draw.
  signature text CHECK (signature ~ '^[0-9a-f]{96}$')
);
GRANT SELECT, INSERT ON tournament_draw TO portal_app;
GRANT UPDATE (signature) ON tournament_draw TO portal_app;

CREATE FUNCTION refuse_another_signature() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the signature of a draw never changes' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER tournament_draw_signature BEFORE UPDATE OF signature ON tournament_draw
  FOR EACH ROW WHEN (OLD.signature IS NOT NULL AND NEW.signature IS DISTINCT FROM OLD.signature)
  EXECUTE FUNCTION refuse_another_signature();

-- A closed list is drawn by its beacon alone.
CREATE FUNCTION refuse_draw_without_beacon() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM tournament_draw d WHERE d.tournament_id = NEW.id AND d.signature IS NULL) THEN
    RAISE EXCEPTION 'a closed list is drawn by its beacon' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tournaments_drawn_by_beacon BEFORE UPDATE OF drawn_at ON tournaments
  FOR EACH ROW WHEN (NEW.drawn_at IS NOT NULL AND OLD.drawn_at IS NULL)
  EXECUTE FUNCTION refuse_draw_without_beacon();

-- Names, seeds and members of a closed list stay. Erasing a person (users.erased_at) takes their names out of it.
CREATE FUNCTION refuse_change_of_closed_list() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM tournament_draw d
              WHERE d.tournament_id = CASE WHEN TG_OP = 'DELETE' THEN OLD.tournament_id ELSE NEW.tournament_id END) THEN
    RAISE EXCEPTION 'the list of a tournament stays as it was closed' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER teams_closed BEFORE INSERT OR DELETE ON teams
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_closed_list();
CREATE TRIGGER teams_closed_name BEFORE UPDATE OF name ON teams
  FOR EACH ROW WHEN (NEW.name IS DISTINCT FROM OLD.name AND NEW.name !~ '^da-xoa-\d+-\d+$')
  EXECUTE FUNCTION refuse_change_of_closed_list();
CREATE TRIGGER teams_closed_seed BEFORE UPDATE OF seed ON teams
  FOR EACH ROW WHEN (NEW.seed IS DISTINCT FROM OLD.seed)
  EXECUTE FUNCTION refuse_change_of_closed_list();
CREATE TRIGGER team_members_closed BEFORE INSERT OR DELETE ON team_members
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_closed_list();
CREATE TRIGGER team_members_closed_name BEFORE UPDATE ON team_members
  FOR EACH ROW WHEN (NEW.character_name !~ '^da-xoa-\d+-\d+-\d+$')
  EXECUTE FUNCTION refuse_change_of_closed_list();
