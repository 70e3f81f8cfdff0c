-- expand, outside a transaction
-- A line of the trail from any of its rows on, in its order.
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_log_line ON audit_log (line, seq);
