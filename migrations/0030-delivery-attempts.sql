-- What the game was asked about each delivery, and what it said: for operators who have to find out why one is stuck.
-- Nothing depends on these rows: an outcome is written before them and without them.

CREATE TABLE delivery_attempt (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id uuid NOT NULL REFERENCES delivery (id),
  -- The operator who asked; null when the worker did.
  operator_id bigint REFERENCES users (id),
  asked text NOT NULL CHECK (asked IN ('status', 'deliver', 'cancel')),
  answer text NOT NULL CHECK (answer IN (
    'applied', 'refused', 'conflict', 'cancelled', 'not-applied', 'not-received', 'unknown')),
  note text CHECK (length(note) <= 300),
  took_ms integer NOT NULL CHECK (took_ms >= 0),
  asked_at timestamptz NOT NULL
);

CREATE INDEX delivery_attempt_delivery ON delivery_attempt (delivery_id, id);
CREATE INDEX delivery_attempt_age ON delivery_attempt (asked_at);
-- The last word of the game, however long ago.
CREATE INDEX delivery_attempt_answered ON delivery_attempt (id) WHERE answer NOT IN ('not-received', 'unknown');

GRANT SELECT, INSERT, DELETE ON delivery_attempt TO portal_app;
