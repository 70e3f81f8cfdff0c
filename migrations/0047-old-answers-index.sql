-- expand, outside a transaction
-- The oldest answers that are still there. Of the answer itself nothing is in an index, so storing it touches none.
CREATE INDEX CONCURRENTLY IF NOT EXISTS idempotency_key_answer_age ON idempotency_key (created_at)
  WHERE NOT answer_erased;
