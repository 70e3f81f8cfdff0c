-- expand
-- By what names are compared (src/server/domain/name-skeleton.ts): two that a reader takes for each other have one skeleton.
-- Of a team stored before it is null until a team of its tournament is named again: only the program knows the skeleton of
-- any name. A name that had a twin by then has `=` and its id, which no skeleton begins with, and both stay.
ALTER TABLE teams ADD COLUMN skeleton text CHECK (skeleton <> '' AND length(skeleton) <= 500);
CREATE UNIQUE INDEX teams_skeleton ON teams (tournament_id, skeleton) WHERE state <> 'withdrawn';

-- A nickname has letters of Vietnamese and digits only: its skeleton follows from its key.
ALTER TABLE ranking_nickname ADD COLUMN skeleton text UNIQUE CHECK (skeleton <> '' AND length(skeleton) <= 100);
GRANT UPDATE (skeleton) ON ranking_nickname TO portal_app;
UPDATE ranking_nickname n
   SET skeleton = CASE WHEN made.place = 1 THEN made.skeleton ELSE '=' || n.user_id END
  FROM (SELECT user_id, skeleton, row_number() OVER (PARTITION BY skeleton ORDER BY changed_at, user_id) AS place
          FROM (SELECT user_id, changed_at,
                       replace(replace(replace(translate(nickname_key, '01i', 'oll'), 'm', 'rn'), 'vv', 'w'), 'cl', 'd') AS skeleton
                  FROM ranking_nickname) read) made
 WHERE made.user_id = n.user_id;
