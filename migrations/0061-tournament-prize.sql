-- expand
-- What a tournament is played for, and how a team takes part, in the words of its organisers; empty while they say nothing.

ALTER TABLE tournaments
  ADD prize text NOT NULL DEFAULT '' CHECK (length(prize) <= 300),
  ADD how_to_register text NOT NULL DEFAULT '' CHECK (length(how_to_register) <= 1000);

-- The places of one server in a ranking, in their order.
CREATE INDEX ranking_entries_server ON ranking_entries (group_id, server_id, rank);
