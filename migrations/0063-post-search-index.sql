-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS posts_words ON posts USING gin (words);
