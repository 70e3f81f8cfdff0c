-- expand
-- Rows that were due and failed: what a job could not do with one of them, and when it tries again. A row goes when its work is
-- done, or not due any more.
CREATE TABLE failed_work (
  job text NOT NULL CHECK (length(job) BETWEEN 1 AND 60),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 100),
  failures integer NOT NULL CHECK (failures > 0),
  error text NOT NULL CHECK (length(error) <= 300),
  failing_since timestamptz NOT NULL DEFAULT clock_timestamp(),
  retry_at timestamptz NOT NULL,
  PRIMARY KEY (job, subject)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON failed_work TO portal_app;
