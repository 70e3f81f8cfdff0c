-- expand
-- How often each kind of content was changed: a process that missed the notice of a change finds it here.
CREATE TABLE content_version (
  kind text PRIMARY KEY,
  version bigint NOT NULL DEFAULT 1
);
GRANT SELECT, INSERT, UPDATE ON content_version TO portal_app;
