-- expand
-- Rankings: places by server and class, a standing of each day for 90 days, reading the game page by page, and
-- recharges of those players only who want to be shown, by a nickname.

ALTER TABLE ranking_groups
  -- Whose claim it is: a worker that was too slow may not store what it has read.
  ADD COLUMN claimed_run uuid,
  -- Which recharges count, by the calendar of Vietnam: of this month, of this week (from Monday), or of these days.
  ADD COLUMN recharge_period text NOT NULL DEFAULT 'month'
    CHECK (recharge_period IN ('month', 'week', 'dates')),
  ADD COLUMN starts_on date,
  ADD COLUMN ends_on date,
  ADD CONSTRAINT ranking_groups_period CHECK (source = 'recharge' OR recharge_period = 'month'),
  ADD CONSTRAINT ranking_groups_dates CHECK (
    (recharge_period = 'dates') = (starts_on IS NOT NULL)
    AND (recharge_period = 'dates') = (ends_on IS NOT NULL)
    AND ends_on >= starts_on AND ends_on - starts_on <= 366);

ALTER TABLE ranking_snapshots
  -- The classes that are in it.
  ADD COLUMN class_ids integer[] NOT NULL DEFAULT '{}';

ALTER TABLE ranking_entries
  -- The place among those of the same server, class, and both. Null in what a program of before has stored.
  ADD COLUMN server_rank integer,
  ADD COLUMN class_rank integer,
  ADD COLUMN server_class_rank integer;
COMMENT ON COLUMN ranking_entries.server_id IS 'empty in a ranking of recharges';
COMMENT ON COLUMN ranking_entries.name IS
  'of the character; in a ranking of recharges the id of the user, whose nickname is looked up when it is shown';

-- Nobody has agreed to be shown so far.
DELETE FROM ranking_entries e USING ranking_groups g WHERE g.id = e.group_id AND g.source = 'recharge';
UPDATE ranking_snapshots SET taken_at = to_timestamp(0);
UPDATE ranking_entries e SET server_rank = p.server_rank, class_rank = p.class_rank, server_class_rank = p.both_rank
  FROM (SELECT group_id, rank,
               row_number() OVER (PARTITION BY group_id, server_id ORDER BY rank) AS server_rank,
               row_number() OVER (PARTITION BY group_id, class_id ORDER BY rank) AS class_rank,
               row_number() OVER (PARTITION BY group_id, server_id, class_id ORDER BY rank) AS both_rank
          FROM ranking_entries) p
 WHERE p.group_id = e.group_id AND p.rank = e.rank;

DROP INDEX ranking_entries_server;
CREATE INDEX ranking_entries_server ON ranking_entries (group_id, server_id, server_rank);
CREATE INDEX ranking_entries_class ON ranking_entries (group_id, class_id, class_rank);
CREATE INDEX ranking_entries_server_class ON ranking_entries (group_id, server_id, class_id, server_class_rank);
-- For an erasure, which has to find a character in every ranking.
CREATE INDEX ranking_entries_name ON ranking_entries (server_id, name);
GRANT UPDATE (user_id, server_id, name, value, class_id, level, server_rank, class_rank, server_class_rank)
  ON ranking_entries TO portal_app;

-- What a refresh has read so far: a run is stored as a whole, or not at all.
CREATE TABLE ranking_staging (
  run uuid NOT NULL,
  group_id bigint NOT NULL REFERENCES ranking_groups (id) ON DELETE CASCADE,
  server_id text NOT NULL,
  name text NOT NULL,
  account text NOT NULL,
  value bigint NOT NULL,
  class_id integer,
  level integer,
  PRIMARY KEY (run, server_id, name)
);
CREATE INDEX ranking_staging_group ON ranking_staging (group_id);
GRANT SELECT, INSERT, DELETE ON ranking_staging TO portal_app;

-- The last standing of each day in Vietnam, as far as pages show it.
CREATE TABLE ranking_days (
  group_id bigint NOT NULL REFERENCES ranking_groups (id) ON DELETE CASCADE,
  day date NOT NULL,
  taken_at timestamptz NOT NULL,
  class_ids integer[] NOT NULL,
  PRIMARY KEY (group_id, day)
);
CREATE INDEX ranking_days_day ON ranking_days (day);
GRANT SELECT, INSERT, DELETE ON ranking_days TO portal_app;

CREATE TABLE ranking_day_entries (
  group_id bigint NOT NULL,
  day date NOT NULL,
  rank integer NOT NULL CHECK (rank >= 1),
  user_id bigint REFERENCES users (id),
  server_id text NOT NULL,
  name text NOT NULL,
  value bigint NOT NULL,
  class_id integer,
  level integer,
  server_rank integer NOT NULL,
  class_rank integer,
  server_class_rank integer NOT NULL,
  PRIMARY KEY (group_id, day, rank),
  FOREIGN KEY (group_id, day) REFERENCES ranking_days (group_id, day) ON DELETE CASCADE
);
CREATE INDEX ranking_day_entries_server ON ranking_day_entries (group_id, day, server_id, server_rank);
CREATE INDEX ranking_day_entries_class ON ranking_day_entries (group_id, day, class_id, class_rank);
CREATE INDEX ranking_day_entries_server_class
  ON ranking_day_entries (group_id, day, server_id, class_id, server_class_rank);
-- Where somebody stood the day before; and for an erasure.
CREATE INDEX ranking_day_entries_name ON ranking_day_entries (server_id, name, group_id, day);
CREATE INDEX ranking_day_entries_user ON ranking_day_entries (user_id, group_id, day) WHERE user_id IS NOT NULL;
GRANT SELECT, INSERT, DELETE ON ranking_day_entries TO portal_app;

-- Who wants to be shown in rankings of recharges, and by what name. Without a row nobody is.
CREATE TABLE ranking_nickname (
  user_id bigint PRIMARY KEY REFERENCES users (id),
  nickname text NOT NULL CHECK (length(nickname) BETWEEN 3 AND 20),
  -- In lower case, without marks and spaces: names that are told apart by nothing else are one name.
  nickname_key text NOT NULL UNIQUE CHECK (nickname_key ~ '^[a-z0-9]{3,20}$'),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER zz_user_not_erased AFTER INSERT ON ranking_nickname
  FOR EACH ROW EXECUTE FUNCTION refuse_erased_user();
GRANT SELECT, INSERT, DELETE ON ranking_nickname TO portal_app;
GRANT UPDATE (nickname, nickname_key, changed_at) ON ranking_nickname TO portal_app;

-- The consent to it, in the words of its version.
ALTER TABLE legal_text
  DROP CONSTRAINT legal_text_kind_check,
  ADD CONSTRAINT legal_text_kind_check CHECK (kind IN ('terms', 'privacy', 'refunds', 'ranking'));
INSERT INTO legal_text (kind, version, content) VALUES ('ranking', 1,
  '<p>Hiện tên tôi trên bảng xếp hạng nạp: mọi người chơi thấy biệt danh và tổng TCoin đã nạp của tôi trong thời gian bảng tính. Tên đăng nhập và nhân vật không hiện. Tôi tắt được bất cứ lúc nào.</p>');
-- Checked for new rows at once; the next migration checks the others beside those who write.
ALTER TABLE consent
  DROP CONSTRAINT consent_subject_check,
  DROP CONSTRAINT consent_check,
  DROP CONSTRAINT consent_source_check,
  ADD CONSTRAINT consent_subject_check CHECK (subject IN ('terms', 'privacy', 'pixel', 'ranking')) NOT VALID,
  ADD CONSTRAINT consent_check CHECK (is_given OR subject IN ('pixel', 'ranking')) NOT VALID,
  ADD CONSTRAINT consent_source_check
    CHECK (source IN ('registration', 'notice', 'consents-page', 'pixel-question', 'profile')) NOT VALID;
