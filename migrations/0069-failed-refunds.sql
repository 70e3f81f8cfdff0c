-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS gateway_refund_failed ON gateway_refund (asked_at) WHERE state = 'failed';
