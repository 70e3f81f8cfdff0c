-- expand
-- What was said of each alarm to the webhook of the owner, and what is still to be said: at most one message for each,
-- since a newer one replaces one that waits. Kept here, so that of several workers one speaks.
CREATE TABLE alarm_notice (
  name text PRIMARY KEY,
  looked_at timestamptz NOT NULL DEFAULT '-infinity',
  -- Null while nothing is wrong.
  began_at timestamptz,
  told_count integer CHECK (told_count > 0),
  told_at timestamptz,
  -- The message that waits, under the id by which its receiver knows a repeat.
  message_id uuid,
  message jsonb,
  attempt integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  CONSTRAINT alarm_notice_told CHECK (num_nulls(began_at, told_count, told_at) IN (0, 3)),
  CONSTRAINT alarm_notice_message CHECK ((message_id IS NULL) = (message IS NULL))
);
GRANT SELECT, INSERT, UPDATE ON alarm_notice TO portal_app;
