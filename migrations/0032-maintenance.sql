-- What is closed for players. A section without a message is open.
CREATE TABLE maintenance (
  section text PRIMARY KEY CHECK (section IN ('all', 'recharge', 'exchange', 'gift', 'transfer')),
  message text CHECK (length(message) BETWEEN 3 AND 300),
  -- It ends by itself then; null: when an operator says so.
  until timestamptz,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT maintenance_until CHECK (until IS NULL OR message IS NOT NULL)
);
INSERT INTO maintenance (section) VALUES ('all'), ('recharge'), ('exchange'), ('gift'), ('transfer');
GRANT SELECT, UPDATE ON maintenance TO portal_app;
