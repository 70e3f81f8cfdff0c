-- expand
-- An account whose person asked to be forgotten: what named them is gone, the books stay. Each function below works on
-- such an account alone, so that the portal's role gains no right to change names, promises or the trail of anybody else.

ALTER TABLE users ADD COLUMN erased_at timestamptz;
ALTER TABLE users DROP CONSTRAINT users_username_check;
-- A name that a player can choose has no hyphen: an erased account's can neither be registered nor signed in to.
ALTER TABLE users ADD CONSTRAINT users_username_check CHECK (
  CASE WHEN erased_at IS NULL THEN username ~ '^[A-Za-z0-9]{5,20}$' ELSE username = 'da-xoa-' || id END);

-- Names of erased accounts, as keyed hashes: who registered one again would have the former player's characters, since the
-- game knows accounts by name.
CREATE TABLE erased_name (
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  erased_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT ON erased_name TO portal_app;

CREATE FUNCTION erase_user(p_user_id bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  UPDATE users
     SET username = 'da-xoa-' || id, password_hash = '', referrer_id = NULL, ban_until = NULL, ban_reason = NULL,
         sign_in_ban_until = NULL, sign_in_ban_reason = NULL, erased_at = clock_timestamp()
   WHERE id = p_user_id AND erased_at IS NULL AND NOT EXISTS (SELECT FROM user_roles WHERE user_id = p_user_id);
  RETURN FOUND;
END
$$;

-- A final state stays final, and a promise cannot be rewritten; only who it was made to may be taken out of it.
CREATE OR REPLACE FUNCTION delivery_keeps_promise() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  personal text[] := '{account,character_id,character_name,last_error}';
BEGIN
  IF OLD.state IN ('delivered', 'refunded') AND (
       NEW.account <> 'da-xoa' OR NEW.character_id <> 'da-xoa' OR NEW.character_name <> 'Đã xóa'
       OR NEW.last_error IS NOT NULL OR to_jsonb(NEW) - personal IS DISTINCT FROM to_jsonb(OLD) - personal)
  THEN
    RAISE EXCEPTION 'delivery % is already %', OLD.id, OLD.state USING ERRCODE = 'CN002';
  END IF;
  RETURN NEW;
END
$$;

CREATE FUNCTION erase_deliveries_of(p_user_id bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  UPDATE delivery
     SET account = 'da-xoa', character_id = 'da-xoa', character_name = 'Đã xóa', last_error = NULL
   WHERE user_id = p_user_id AND state IN ('delivered', 'refunded')
     AND EXISTS (SELECT FROM users WHERE id = p_user_id AND erased_at IS NOT NULL);
END
$$;

-- Erases personal parts of the trail: of acts of this person and on them, on their claims, and those of lists and
-- tournaments in which one of `p_names` stands. Only when the trail says that the person was erased, which nobody can take
-- out of it again; the chain holds the hash of what is gone and stays whole.
CREATE FUNCTION audit_erase_personal_of(p_user_id bigint, p_names text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM audit_log WHERE subject_type = 'user' AND subject_id = p_user_id::text AND action = 'users.erase')
  THEN
    RAISE EXCEPTION 'user % was not erased', p_user_id USING ERRCODE = 'CN002';
  END IF;
  DELETE FROM audit_personal p USING audit_log a
   WHERE a.seq = p.seq AND (
     (a.subject_type = 'user' AND a.subject_id = p_user_id::text)
     OR (a.actor_id = p_user_id AND a.actor_kind = 'user')
     OR (a.subject_type = 'recharge_claim'
         AND a.subject_id IN (SELECT id::text FROM recharge_claim WHERE user_id = p_user_id)));
  DELETE FROM audit_personal p USING audit_log a
   WHERE a.seq = p.seq AND (a.subject_type = 'tournament' OR a.subject_id = 'csv')
     AND EXISTS (SELECT FROM unnest(p_names) AS name
                  WHERE strpos(lower(p.content::text), lower(to_json(name)::text)) > 0);
END
$$;

REVOKE ALL ON FUNCTION erase_user, erase_deliveries_of, audit_erase_personal_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_user, erase_deliveries_of, audit_erase_personal_of TO portal_app;

-- What operators wrote about the person, and what the person wrote with a claim.
GRANT DELETE ON player_note TO portal_app;
GRANT UPDATE (bank_reference) ON recharge_claim TO portal_app;

-- A member of a team is found by the character's name in all tournaments.
CREATE INDEX team_members_name ON team_members (lower(character_name));
