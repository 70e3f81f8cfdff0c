-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_event_body_words ON payment_event_body USING gin (notice_words(memo, full_text, code));
