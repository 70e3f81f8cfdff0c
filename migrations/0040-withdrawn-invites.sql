-- An invitation may be taken back before somebody has used it.
ALTER TABLE staff_invite ADD COLUMN withdrawn_by bigint REFERENCES users (id), ADD COLUMN withdrawn_at timestamptz;
ALTER TABLE staff_invite ADD CONSTRAINT staff_invite_withdrawn CHECK (
  (withdrawn_by IS NULL) = (withdrawn_at IS NULL) AND (withdrawn_at IS NULL OR used_at IS NULL));
GRANT UPDATE (withdrawn_by, withdrawn_at) ON staff_invite TO portal_app;
