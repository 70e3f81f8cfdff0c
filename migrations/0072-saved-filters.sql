-- expand
-- Filters and sorting of lists that operators saved for themselves, each under a name; nobody else reads them.
CREATE TABLE saved_filter (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  list text NOT NULL CHECK (list ~ '^[a-z-]{1,40}$'),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  query jsonb NOT NULL CHECK (length(query::text) <= 6000),
  UNIQUE (user_id, list, name)
);
GRANT SELECT, INSERT, DELETE, UPDATE (name) ON saved_filter TO portal_app;
