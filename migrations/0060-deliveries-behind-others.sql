-- expand
-- A character's purchases arrive in the order they were bought. One that was found behind an earlier one names it, and is
-- looked for no more until that one has come to its end, which takes the name away: a claim reads what it may take, and
-- not all that waits behind it.
ALTER TABLE delivery ADD COLUMN waits_behind uuid;
GRANT UPDATE (waits_behind) ON delivery TO portal_app;

DROP INDEX delivery_due;
CREATE INDEX delivery_due ON delivery (next_attempt_at) WHERE state IN ('pending', 'unknown') AND waits_behind IS NULL;
CREATE INDEX delivery_waits ON delivery (waits_behind) WHERE waits_behind IS NOT NULL;

-- The line of each character. In words of its own, so that no plan of an empty table takes another index for it.
DROP INDEX delivery_open_character;
CREATE INDEX delivery_line ON delivery (server_id, character_id, created_at, id)
  WHERE settled_at IS NULL AND state <> 'parked';
