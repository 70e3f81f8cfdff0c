-- A purchase: the price is held while the goods are on their way, then it becomes revenue or goes back.

CREATE TEMPORARY TABLE account AS
  SELECT 'An' AS name, ledger_open_account('user_wallet', 900001) AS id
  UNION ALL SELECT 'recharge', 9000000000000007
  UNION ALL SELECT 'hold', 9000000000000006
  UNION ALL SELECT 'revenue', 9000000000000005;
GRANT SELECT ON account TO portal_app;
SET LOCAL ROLE portal_app;
SELECT credit_balance FROM ledger_post('recharge',
  (SELECT id FROM account WHERE name = 'recharge'), (SELECT id FROM account WHERE name = 'An'), 50000,
  'example', 'payment-1', NULL, NULL, NULL, NULL);

SELECT debit_balance FROM ledger_post('exchange_hold',
  (SELECT id FROM account WHERE name = 'An'), (SELECT id FROM account WHERE name = 'hold'), 30000,
  'example', 'delivery-1', 900001, NULL, NULL, NULL);
SELECT debit_balance FROM ledger_post('exchange_hold',
  (SELECT id FROM account WHERE name = 'An'), (SELECT id FROM account WHERE name = 'hold'), 20000,
  'example', 'delivery-2', 900001, NULL, NULL, NULL);

-- An account of the house has sixteen rows; its balance is their sum. The cause chooses the row.
SELECT count(*) AS rows, sum(balance) AS balance, max(balance) AS largest FROM ledger_account WHERE kind = 'delivery_hold';

-- The first one arrives, the second one does not. Each is taken from the row in which it is held.
SELECT credit_balance > 0 AS is_earned FROM ledger_post('exchange_settle',
  (SELECT id FROM account WHERE name = 'hold'), (SELECT id FROM account WHERE name = 'revenue'), 30000,
  'example', 'delivery-1', NULL, NULL, NULL, NULL);
SELECT credit_balance FROM ledger_post('exchange_refund',
  (SELECT id FROM account WHERE name = 'hold'), (SELECT id FROM account WHERE name = 'An'), 20000,
  'example', 'delivery-2', NULL, NULL, NULL, NULL);

SELECT kind, sum(balance) AS balance FROM ledger_account
 WHERE kind IN ('user_wallet', 'delivery_hold', 'house_revenue', 'house_recharge') GROUP BY kind ORDER BY kind;
