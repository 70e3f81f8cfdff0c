-- expand

-- What a player is told in the portal: one row for each event, written in the event's own transaction. The text is made from
-- kind and data when it is read.
CREATE TABLE notice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  kind text NOT NULL CONSTRAINT notice_kind_check CHECK (kind IN ('recharge', 'delivery', 'claim', 'security')),
  -- The event. The same one again writes no second row.
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 100),
  data jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object' AND length(data::text) <= 4000),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  read_at timestamptz,
  CONSTRAINT notice_once UNIQUE (user_id, kind, subject)
);
CREATE INDEX notice_list ON notice (user_id, id);
CREATE INDEX notice_unread ON notice (user_id, id) WHERE read_at IS NULL;
CREATE INDEX notice_created ON notice (created_at);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON notice FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON notice TO portal_app;
GRANT UPDATE (read_at) ON notice TO portal_app;

-- What a player has chosen about a kind of notices; without a row, everything is on. Each further way of telling is a column.
CREATE TABLE notice_preference (
  user_id bigint NOT NULL REFERENCES users (id),
  kind text NOT NULL CONSTRAINT notice_preference_kind_check CHECK (kind IN ('recharge', 'delivery', 'claim', 'security')),
  by_bell boolean NOT NULL,
  PRIMARY KEY (user_id, kind)
);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON notice_preference
  FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON notice_preference TO portal_app;
GRANT UPDATE (by_bell) ON notice_preference TO portal_app;
