-- expand
-- Further ways of being told: on a device (web push), by one mail a day, and of tournaments that a player only follows.

-- The portal's own keys for push services (VAPID), made at first use. A device trusts the key that it subscribed with.
CREATE TABLE push_key (
  is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT push_key_one CHECK (is_only),
  public_key text NOT NULL CHECK (public_key ~ '^[A-Za-z0-9_-]{87}$'),
  sealed_private_key bytea NOT NULL
);
GRANT SELECT, INSERT ON push_key TO portal_app;

-- A browser that shows notices: it belongs to the session it was turned on in, and ends with it.
CREATE TABLE push_subscription (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  session_id bigint NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
  endpoint text NOT NULL UNIQUE CHECK (endpoint LIKE 'http%' AND length(endpoint) <= 1000),
  p256dh text NOT NULL CHECK (p256dh ~ '^[A-Za-z0-9_-]{87}=?$'),
  auth text NOT NULL CHECK (auth ~ '^[A-Za-z0-9_-]{22}(==)?$'),
  -- How many messages in a row could not be sent.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX push_subscription_user ON push_subscription (user_id, id);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON push_subscription
  FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON push_subscription TO portal_app;
GRANT UPDATE (user_id, session_id, p256dh, auth, failures, created_at) ON push_subscription TO portal_app;

-- Notices that wait to be sent to a browser. No references: a browser that goes at the same moment must not stop a credit, so
-- the sender deletes what has lost its browser or its notice.
CREATE TABLE push_message (
  notice_id bigint NOT NULL,
  subscription_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempt integer NOT NULL DEFAULT 0,
  PRIMARY KEY (notice_id, subscription_id)
);
CREATE INDEX push_message_due ON push_message (next_attempt_at);
CREATE INDEX push_message_subscription ON push_message (subscription_id);
GRANT SELECT, INSERT, DELETE ON push_message TO portal_app;
GRANT UPDATE (next_attempt_at, attempt) ON push_message TO portal_app;

-- By a trigger: whichever statement writes a notice, it costs that statement no further one.
CREATE FUNCTION queue_push_messages() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO push_message (notice_id, subscription_id)
  SELECT new.id, s.id FROM push_subscription s WHERE s.user_id = new.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER notice_push AFTER INSERT ON notice FOR EACH ROW EXECUTE FUNCTION queue_push_messages();

-- Who wants their unread notices by mail, once a day.
CREATE TABLE notice_digest (
  user_id bigint PRIMARY KEY REFERENCES users (id),
  -- The day in Vietnam that it was made on last, and the newest notice by then.
  made_on date NOT NULL,
  told_until bigint NOT NULL
);
CREATE INDEX notice_digest_due ON notice_digest (made_on, user_id);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON notice_digest FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON notice_digest TO portal_app;
GRANT UPDATE (made_on, told_until) ON notice_digest TO portal_app;

-- Who wants to be told when a tournament begins.
CREATE TABLE tournament_follower (
  tournament_id bigint NOT NULL REFERENCES tournaments (id),
  user_id bigint NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  told_at timestamptz,
  PRIMARY KEY (tournament_id, user_id)
);
CREATE INDEX tournament_follower_user ON tournament_follower (user_id);
CREATE INDEX tournament_follower_waiting ON tournament_follower (tournament_id, user_id) WHERE told_at IS NULL;
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON tournament_follower
  FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON tournament_follower TO portal_app;
GRANT UPDATE (told_at) ON tournament_follower TO portal_app;

-- The consents to both, in the words of their version.
ALTER TABLE legal_text
  DROP CONSTRAINT legal_text_kind_check,
  ADD CONSTRAINT legal_text_kind_check
    CHECK (kind IN ('terms', 'privacy', 'refunds', 'ranking', 'push', 'digest'));
INSERT INTO legal_text (kind, version, content) VALUES
  ('push', 1,
    '<p>Nhận thông báo trên thiết bị này: nội dung được mã hóa và gửi qua dịch vụ thông báo đẩy của trình duyệt. Tôi tắt được bất cứ lúc nào.</p>'),
  ('digest', 1,
    '<p>Nhận mỗi ngày nhiều nhất một thư về những thông báo tôi chưa đọc, gửi đến email đã xác thực. Tôi tắt được bất cứ lúc nào.</p>');
-- No row of before breaks them, so the rows need not be read while nobody may write.
ALTER TABLE consent
  DROP CONSTRAINT consent_subject_check,
  DROP CONSTRAINT consent_check,
  DROP CONSTRAINT consent_source_check,
  ADD CONSTRAINT consent_subject_check
    CHECK (subject IN ('terms', 'privacy', 'pixel', 'ranking', 'push', 'digest')) NOT VALID,
  ADD CONSTRAINT consent_check CHECK (is_given OR subject IN ('pixel', 'ranking', 'push', 'digest')) NOT VALID,
  ADD CONSTRAINT consent_source_check
    CHECK (source IN ('registration', 'notice', 'consents-page', 'pixel-question', 'profile', 'notices-page')) NOT VALID;
