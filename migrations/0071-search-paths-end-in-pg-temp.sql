-- expand
-- PostgreSQL looks for tables in a session's temporary schema before all others unless a search path names it: whoever may
-- make temporary tables could lay one over a table of ours, and a function with the owner's rights would use it. Named at
-- the end, it is looked at last.

DO $$
DECLARE
  bound regprocedure;
BEGIN
  FOR bound IN
    SELECT p.oid FROM pg_proc p
      CROSS JOIN LATERAL unnest(p.proconfig) AS option
     WHERE p.pronamespace = 'public'::regnamespace AND option = 'search_path=pg_catalog, public'
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, public, pg_temp', bound);
  END LOOP;
END $$;
