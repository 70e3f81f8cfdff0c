-- expand, outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_event_body_payer
  ON payment_event_body (payer_account(memo, full_text), event_id DESC) WHERE payer_account(memo, full_text) IS NOT NULL;
