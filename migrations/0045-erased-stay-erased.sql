-- expand
-- Nothing that names a person is written for an erased account, also by a request that was under way while it was erased: it
-- waits at the foreign key for the erasure to be committed, and this trigger, which fires after the key's own by its name,
-- then sees it.
CREATE FUNCTION refuse_erased_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM users WHERE id = NEW.user_id AND erased_at IS NOT NULL) THEN
    RAISE EXCEPTION 'user % was erased', NEW.user_id USING ERRCODE = 'CN002';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON user_contacts FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON sign_in FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON known_device FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON second_factor FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON password_reset FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON game_character FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON game_character_fetch FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON recharge_claim FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON player_note FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON delivery FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();

-- Whether one of these names stands in a personal part as a value of its own.
CREATE FUNCTION names_one_of(content jsonb, names text[]) RETURNS boolean LANGUAGE sql STABLE
  RETURN EXISTS (SELECT FROM unnest(names) AS name WHERE strpos(lower(content::text), lower(to_json(name)::text)) > 0);

-- As before, with one statement for each index of the trail: together they would be looked for from end to end.
CREATE OR REPLACE FUNCTION audit_erase_personal_of(p_user_id bigint, p_names text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  rows_of bigint[];
BEGIN
  IF NOT EXISTS (
    SELECT FROM audit_log WHERE subject_type = 'user' AND subject_id = p_user_id::text AND action = 'users.erase')
  THEN
    RAISE EXCEPTION 'user % was not erased', p_user_id USING ERRCODE = 'CN002';
  END IF;
  SELECT array_agg(seq) INTO rows_of FROM (
    SELECT seq FROM audit_log WHERE subject_type = 'user' AND subject_id = p_user_id::text
    UNION ALL
    SELECT seq FROM audit_log WHERE actor_id = p_user_id AND actor_kind = 'user'
    UNION ALL
    SELECT a.seq FROM recharge_claim c
      JOIN audit_log a ON a.subject_type = 'recharge_claim' AND a.subject_id = c.id::text
     WHERE c.user_id = p_user_id
    UNION ALL
    SELECT p.seq FROM audit_log a JOIN audit_personal p ON p.seq = a.seq
     WHERE a.subject_type = 'tournament' AND names_one_of(p.content, p_names)
    UNION ALL
    SELECT p.seq FROM audit_log a JOIN audit_personal p ON p.seq = a.seq
     WHERE a.subject_id = 'csv' AND names_one_of(p.content, p_names)) AS found;
  DELETE FROM audit_personal WHERE seq = ANY (rows_of);
END
$$;
