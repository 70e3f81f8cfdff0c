-- expand
-- The daily check-in: a player has one reward for each day in Vietnam. A reward that the game refused frees its day: the row is
-- then that of the next one.
CREATE TABLE check_in (
  user_id bigint NOT NULL REFERENCES users (id),
  day date NOT NULL,
  delivery_id uuid NOT NULL UNIQUE REFERENCES reward (delivery_id),
  PRIMARY KEY (user_id, day)
);
CREATE INDEX check_in_day ON check_in (day);
GRANT SELECT, INSERT ON check_in TO portal_app;
GRANT UPDATE (delivery_id) ON check_in TO portal_app;
