-- The devices and addresses a player signed in from. They open nothing: they only keep the door open for the player
-- while somebody else tries passwords. Rows hold hashes alone and may be erased at any time.
CREATE TABLE known_device (
  user_id bigint NOT NULL REFERENCES users (id),
  kind text NOT NULL CHECK (kind IN ('cookie', 'address')),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, kind, hash)
);
CREATE INDEX known_device_age ON known_device (kind, last_seen_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON known_device TO portal_app;
