-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_event_amount ON payment_event (amount, id);
