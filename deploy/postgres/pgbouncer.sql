-- Run once by a superuser in the portal's database: the role PgBouncer asks as, and the question it may ask.
CREATE ROLE pgbouncer LOGIN PASSWORD :'password';
CREATE FUNCTION pgbouncer_secret(wanted text, OUT name text, OUT secret text)
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT rolname, rolpassword FROM pg_authid WHERE rolname = wanted AND rolcanlogin AND NOT rolsuper $$;
REVOKE ALL ON FUNCTION pgbouncer_secret(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pgbouncer_secret(text) TO pgbouncer;
