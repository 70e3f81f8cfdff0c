-- expand, outside a transaction
-- No delivery is given again twice. One that the game refused gave nothing, and frees the delivery it was to replace.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS delivery_replaced_once ON delivery (replaces)
  WHERE replaces IS NOT NULL AND state <> 'refunded';
