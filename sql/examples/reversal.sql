-- A reversal takes a movement back by another one that names it, once.

CREATE TEMPORARY TABLE account AS
  SELECT 'An' AS name, ledger_open_account('user_wallet', 900001) AS id
  UNION ALL SELECT 'recharge', 9000000000000007;
GRANT SELECT ON account TO portal_app;
SET LOCAL ROLE portal_app;

SELECT credit_balance FROM ledger_post('recharge',
  (SELECT id FROM account WHERE name = 'recharge'), (SELECT id FROM account WHERE name = 'An'), 50000,
  'example', 'payment-1', NULL, NULL, NULL, NULL);

SELECT debit_balance FROM ledger_post('reversal',
  (SELECT id FROM account WHERE name = 'An'), (SELECT id FROM account WHERE name = 'recharge'), 50000,
  'example', 'payment-1', NULL, 900009, NULL,
  (SELECT id FROM ledger_transfer WHERE kind = 'recharge' AND source_type = 'example' AND source_id = 'payment-1'));

-- It goes back to the row of the house's account that the money came from.
SELECT back.credit_account = original.debit_account AS is_the_same_row, back.amount
  FROM ledger_transfer back JOIN ledger_transfer original ON original.id = back.reverses_id
 WHERE back.source_type = 'example';
SELECT kind, amount, balance_after FROM ledger_entry
 WHERE account_id = (SELECT id FROM account WHERE name = 'An') ORDER BY account_version;

-- A second reversal of it is refused, whatever its cause and whatever the wallet holds.
SELECT credit_balance FROM ledger_post('recharge',
  (SELECT id FROM account WHERE name = 'recharge'), (SELECT id FROM account WHERE name = 'An'), 50000,
  'example', 'payment-2', NULL, NULL, NULL, NULL);
SELECT debit_balance FROM ledger_post('reversal',
  (SELECT id FROM account WHERE name = 'An'), (SELECT id FROM account WHERE name = 'recharge'), 50000,
  'example', 'again', NULL, 900009, NULL,
  (SELECT id FROM ledger_transfer WHERE kind = 'recharge' AND source_type = 'example' AND source_id = 'payment-1'));
