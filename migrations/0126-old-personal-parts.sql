-- expand

-- Erases these personal parts of the trail, as far as they are old: one that cannot be erased leaves the others.
CREATE FUNCTION audit_erase_personal_parts(p_seqs bigint[]) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  erased integer;
BEGIN
  DELETE FROM audit_personal p USING audit_log a
   WHERE p.seq = ANY (p_seqs) AND a.seq = p.seq AND a.at < now() - interval '24 months';
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END
$$;
REVOKE ALL ON FUNCTION audit_erase_personal_parts(bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_erase_personal_parts(bigint[]) TO portal_app;
