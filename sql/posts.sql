-- News: categories, posts with their revisions and drafts, pictures, and how often each post was seen.

CREATE TABLE categories (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  description text NOT NULL DEFAULT '',
  position integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX categories_position ON categories (position, id);

CREATE TABLE posts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  excerpt text NOT NULL,
  content text NOT NULL,
  cover text,
  is_new boolean NOT NULL DEFAULT true,
  is_pinned boolean NOT NULL DEFAULT false,
  is_published boolean NOT NULL DEFAULT true,
  views bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- A published post is shown from then on, without a change of its row.
  publish_at timestamptz NOT NULL DEFAULT now(),
  -- The hashes of the pictures a post shows: a picture in use is not deleted.
  pictures text[] NOT NULL DEFAULT '{}',
  -- The words of a post for its search: in small letters, without marks and tags.
  words tsvector GENERATED ALWAYS AS (
    to_tsvector('simple', lower(translate(
      regexp_replace(
        normalize(title || ' ' || excerpt || ' ' || regexp_replace(content, '<[^>]*>', ' ', 'g'), NFD),
        '[\u0300-\u036f]', '', 'g'),
      'Đđ', 'dd')))
  ) STORED
);
CREATE INDEX posts_newest ON posts (publish_at DESC, id DESC) WHERE is_published;
CREATE INDEX posts_pinned ON posts (publish_at DESC, id DESC) WHERE is_published AND is_pinned;
CREATE INDEX posts_pictures ON posts USING gin (pictures);
CREATE INDEX posts_words ON posts USING gin (words);

CREATE TABLE post_categories (
  post_id bigint NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  category_id bigint NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
  PRIMARY KEY (post_id, category_id)
);
CREATE INDEX post_categories_category ON post_categories (category_id, post_id DESC);
GRANT SELECT, INSERT, UPDATE, DELETE ON categories, posts, post_categories TO portal_app;

-- Who has seen a post today: a hash that is salted anew each day, kept no longer than it is needed.
CREATE TABLE post_view (
  post_id bigint NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  day date NOT NULL,
  visitor bytea NOT NULL,
  PRIMARY KEY (post_id, day, visitor)
);
CREATE INDEX post_view_day ON post_view (day);
GRANT SELECT, INSERT, DELETE ON post_view TO portal_app;

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
