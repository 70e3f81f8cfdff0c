-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS game_character_search ON game_character (search_form(name) text_pattern_ops);
