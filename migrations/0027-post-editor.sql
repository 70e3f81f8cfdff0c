-- A published post is shown from publish_at on, without a change of its row.
ALTER TABLE posts ADD publish_at timestamptz NOT NULL DEFAULT now();
UPDATE posts SET publish_at = created_at;
DROP INDEX posts_newest, posts_pinned;
CREATE INDEX posts_newest ON posts (publish_at DESC, id DESC) WHERE is_published;
CREATE INDEX posts_pinned ON posts (publish_at DESC, id DESC) WHERE is_published AND is_pinned;

ALTER TABLE categories ADD updated_at timestamptz NOT NULL DEFAULT now();

-- Drawn anew from what was sent, never the bytes that arrived; addressed by the hash of the widest drawing.
CREATE TABLE picture (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash text NOT NULL UNIQUE CHECK (hash ~ '^[0-9a-f]{32}$'),
  alt text NOT NULL CHECK (length(alt) BETWEEN 1 AND 300),
  width integer NOT NULL CHECK (width > 0),
  height integer NOT NULL CHECK (height > 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE picture_file (
  picture_id bigint NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
  width integer NOT NULL CHECK (width > 0),
  content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 8388608),
  PRIMARY KEY (picture_id, width)
);
-- A picture is compressed already; trying again costs time and gains nothing.
ALTER TABLE picture_file ALTER COLUMN content SET STORAGE EXTERNAL;

-- The hashes of the pictures a post shows: a picture in use is not deleted.
ALTER TABLE posts ADD pictures text[] NOT NULL DEFAULT '{}';
CREATE INDEX posts_pictures ON posts USING gin (pictures);

-- What a post was after each save.
CREATE TABLE post_revision (
  post_id bigint NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  revision integer NOT NULL CHECK (revision > 0),
  state jsonb NOT NULL,
  pictures text[] NOT NULL,
  -- Null: saved before revisions were kept.
  saved_by bigint REFERENCES users (id),
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (post_id, revision)
);
CREATE INDEX post_revision_pictures ON post_revision USING gin (pictures);

-- What an editor has written and not saved yet, apart from what is shown.
CREATE TABLE post_draft (
  post_id bigint NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users (id),
  state jsonb NOT NULL,
  pictures text[] NOT NULL,
  -- The post's updated_at when the editor began.
  based_on timestamptz NOT NULL,
  saved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (post_id, user_id)
);
CREATE INDEX post_draft_pictures ON post_draft USING gin (pictures);

GRANT SELECT, INSERT, DELETE ON picture, picture_file, post_revision TO portal_app;
GRANT UPDATE (alt) ON picture TO portal_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON post_draft TO portal_app;
