-- The personal parts of the audit trail are erased after 24 months. The portal may not delete them as it likes: this
-- function decides by the age of the trail's row, so that nobody can take away what names who did a recent act.

CREATE FUNCTION audit_erase_personal(p_limit integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  erased integer;
BEGIN
  -- The trail is in the order of time, so only the first rows that are left are ever read.
  WITH oldest AS (SELECT seq FROM audit_personal ORDER BY seq LIMIT p_limit)
  DELETE FROM audit_personal p USING oldest, audit_log a
   WHERE p.seq = oldest.seq AND a.seq = p.seq AND a.at < now() - interval '24 months';
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END
$$;
REVOKE ALL ON FUNCTION audit_erase_personal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_erase_personal TO portal_app;
