-- The operators' lists at two million rows: filters that are used together are answered in one index. The columns behind
-- the order narrow a scan without a look at the table, so that a combination nothing has is found out quickly.

DROP INDEX bank_transaction_state, bank_transaction_amount, bank_transaction_user;
CREATE INDEX bank_transaction_state ON bank_transaction (state, created_at, id, account_number, amount);
CREATE INDEX bank_transaction_amount ON bank_transaction (amount, created_at, id, state, account_number);
CREATE INDEX bank_transaction_user ON bank_transaction (user_id, created_at, id) WHERE user_id IS NOT NULL;
-- Few leave: among all that arrive they would be looked for one by one.
CREATE INDEX bank_transaction_out ON bank_transaction (created_at, id, state, account_number, amount)
  WHERE direction = 'out';

DROP INDEX payment_order_status, payment_order_channel, payment_order_amount;
CREATE INDEX payment_order_status ON payment_order (status, id, channel, amount);
CREATE INDEX payment_order_channel ON payment_order (channel, id, status, amount);
CREATE INDEX payment_order_amount ON payment_order (amount, id, status, channel);

-- A player's purchases in their whole order, so that a late page is found without sorting all of them.
DROP INDEX delivery_user;
CREATE INDEX delivery_user ON delivery (user_id, created_at, id);
