-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS game_character_looks ON game_character (class_id, head);
