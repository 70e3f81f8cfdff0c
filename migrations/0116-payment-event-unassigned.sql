-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_event_unassigned ON payment_event (amount, coalesce(booked_at, received_at))
  WHERE bank_transaction_id IS NULL AND direction = 'in';
