-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_event_virtual_account ON payment_event (virtual_account, id) WHERE virtual_account IS NOT NULL;
