-- Invitations to the staff: a link that gives its role to whoever signs in to the console by it, once and within 48 hours.
CREATE TABLE staff_invite (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  role text NOT NULL CHECK (role IN ('owner', 'editor', 'cashier', 'referee', 'support')),
  invited_by bigint NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  used_by bigint REFERENCES users (id),
  used_at timestamptz,
  CONSTRAINT staff_invite_used CHECK ((used_by IS NULL) = (used_at IS NULL))
);
GRANT SELECT, INSERT ON staff_invite TO portal_app;
GRANT UPDATE (used_by, used_at) ON staff_invite TO portal_app;
