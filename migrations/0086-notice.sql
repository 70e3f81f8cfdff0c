-- expand

-- What a player is told in the portal: one row for each event, written in the event's own transaction. The text is made from
-- kind and data when it is read.
CREATE TABLE notice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  kind text NOT NULL CONSTRAINT notice_kind_check CHECK (kind IN ('recharge', 'delivery', 'claim', 'tournament', 'security')),
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
  kind text NOT NULL CONSTRAINT notice_preference_kind_check
    CHECK (kind IN ('recharge', 'delivery', 'claim', 'tournament', 'security')),
  by_bell boolean NOT NULL,
  -- Of what is told by mail only because the player may want it there: mails about money and security are always sent.
  by_mail boolean NOT NULL DEFAULT true,
  PRIMARY KEY (user_id, kind)
);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON notice_preference
  FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON notice_preference TO portal_app;
GRANT UPDATE (by_bell, by_mail) ON notice_preference TO portal_app;

-- Whom the portal has reminded that check-in is open. A row is written with its notice, so that a job that was killed goes on
-- where it stood.
CREATE TABLE tournament_reminder (
  tournament_id bigint NOT NULL REFERENCES tournaments (id),
  user_id bigint NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tournament_id, user_id)
);
CREATE INDEX tournament_reminder_user ON tournament_reminder (user_id);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON tournament_reminder
  FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON tournament_reminder TO portal_app;
