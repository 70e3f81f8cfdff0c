-- News: categories, posts, and how often each was seen.

CREATE TABLE categories (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  description text NOT NULL DEFAULT '',
  position integer NOT NULL DEFAULT 0
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
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX posts_newest ON posts (created_at DESC, id DESC) WHERE is_published;
CREATE INDEX posts_pinned ON posts (created_at DESC, id DESC) WHERE is_published AND is_pinned;

CREATE TABLE post_categories (
  post_id bigint NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  category_id bigint NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
  PRIMARY KEY (post_id, category_id)
);
CREATE INDEX post_categories_category ON post_categories (category_id, post_id DESC);

-- Who has seen a post today: a hash that is salted anew each day, kept no longer than it is needed.
CREATE TABLE post_view (
  post_id bigint NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  day date NOT NULL,
  visitor bytea NOT NULL,
  PRIMARY KEY (post_id, day, visitor)
);
CREATE INDEX post_view_day ON post_view (day);

GRANT SELECT, INSERT, UPDATE, DELETE ON categories, posts, post_categories TO portal_app;
GRANT SELECT, INSERT, DELETE ON post_view TO portal_app;
