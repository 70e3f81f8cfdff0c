-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_event_unreadable ON payment_event (id) WHERE reason IN ('unreadable-notice', 'unreadable-row');
