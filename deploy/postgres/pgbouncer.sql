-- Run by a superuser in each database that PgBouncer leads to: the role PgBouncer asks as, and the question it may ask. Run again
-- with another password it changes that.
DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'pgbouncer') THEN CREATE ROLE pgbouncer; END IF; END $$;
ALTER ROLE pgbouncer LOGIN PASSWORD :'password';
CREATE OR REPLACE FUNCTION pgbouncer_secret(wanted text, OUT name text, OUT secret text)
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT rolname, rolpassword FROM pg_authid WHERE rolname = wanted AND rolcanlogin AND NOT rolsuper $$;
REVOKE ALL ON FUNCTION pgbouncer_secret(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pgbouncer_secret(text) TO pgbouncer;
