-- expand
-- Of a cancelled tournament, whose players are told in parts, the last team that was; null where nobody is left to tell.
ALTER TABLE tournaments ADD COLUMN cancelled_told_to bigint;
