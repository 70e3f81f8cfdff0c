-- expand
-- How the machine's own backups and its tries to restore one went: a row of each kind that was ever run, so that one that fails,
-- or is not run any more, rings.
CREATE TABLE backup_run (
  kind text PRIMARY KEY CHECK (kind IN ('backup', 'restore-test')),
  succeeded_at timestamptz,
  failing_since timestamptz,
  error text CHECK (length(error) <= 300),
  CONSTRAINT backup_run_ran CHECK (succeeded_at IS NOT NULL OR failing_since IS NOT NULL),
  CONSTRAINT backup_run_failing CHECK ((failing_since IS NULL) = (error IS NULL))
);
GRANT SELECT ON backup_run TO portal_app;
