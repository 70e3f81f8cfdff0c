-- One cause, one movement: a payment that is reported twice is credited once.

CREATE TEMPORARY TABLE account AS
  SELECT 'An' AS name, ledger_open_account('user_wallet', 900001) AS id
  UNION ALL SELECT 'recharge', 9000000000000007;
GRANT SELECT ON account TO portal_app;
SET LOCAL ROLE portal_app;

SELECT credit_balance FROM ledger_post('recharge',
  (SELECT id FROM account WHERE name = 'recharge'), (SELECT id FROM account WHERE name = 'An'), 50000,
  'example', 'payment-1', NULL, NULL, NULL, NULL);

SELECT credit_balance FROM ledger_post('recharge',
  (SELECT id FROM account WHERE name = 'recharge'), (SELECT id FROM account WHERE name = 'An'), 50000,
  'example', 'payment-1', NULL, NULL, NULL, NULL);

SELECT balance, version FROM account JOIN ledger_account USING (id) WHERE name = 'An';

-- Opening an account again answers the one there is.
SELECT ledger_open_account('user_wallet', 900001) = (SELECT id FROM account WHERE name = 'An') AS is_the_same;
