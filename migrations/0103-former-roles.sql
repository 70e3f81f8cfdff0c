-- expand
-- Roles that the console took away in the last days: who held one that may approve still counts as somebody else, gets every
-- letter, and may refuse what is proposed. A role taken at the command line is gone at once.
CREATE TABLE former_role (
  user_id bigint NOT NULL REFERENCES users (id),
  role text NOT NULL CHECK (role IN ('owner', 'editor', 'cashier', 'referee', 'support')),
  granted_at timestamptz NOT NULL,
  -- Null for the command line.
  granted_by bigint REFERENCES users (id),
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, role)
);
GRANT SELECT, INSERT, DELETE ON former_role TO portal_app;
GRANT UPDATE (granted_at, granted_by, taken_at) ON former_role TO portal_app;
