-- expand
-- Errors that browsers met on both sites, those alike in one row. The row without a message counts those of a release that have
-- no row of their own, since there were too many.
CREATE TABLE client_error (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fingerprint bytea NOT NULL UNIQUE,
  site text NOT NULL,
  release text NOT NULL,
  kind text NOT NULL,
  message text NOT NULL,
  place text NOT NULL,
  is_new boolean NOT NULL,
  times bigint NOT NULL DEFAULT 1,
  pages text[] NOT NULL,
  engines jsonb NOT NULL,
  first_seen timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen timestamptz NOT NULL DEFAULT clock_timestamp(),
  handled_at timestamptz,
  -- Anybody may send reports.
  CONSTRAINT client_error_bounded CHECK (site IN ('player', 'console') AND kind IN ('script', 'promise', 'part', 'code')
    AND length(release) <= 40 AND length(message) <= 500 AND length(place) <= 1000 AND cardinality(pages) <= 200 AND length(engines::text) <= 4000)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON client_error TO portal_app;
