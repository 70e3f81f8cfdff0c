-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_event_reference ON payment_event (upper(bank_ref), id) WHERE bank_ref IS NOT NULL;
