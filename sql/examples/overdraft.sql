-- An overdraft is refused: a wallet never goes below zero.

CREATE TEMPORARY TABLE account AS
  SELECT 'An' AS name, ledger_open_account('user_wallet', 900001) AS id
  UNION ALL SELECT 'Binh', ledger_open_account('user_wallet', 900002)
  UNION ALL SELECT 'recharge', 9000000000000007;
GRANT SELECT ON account TO portal_app;
SET LOCAL ROLE portal_app;

SELECT credit_balance FROM ledger_post('recharge',
  (SELECT id FROM account WHERE name = 'recharge'), (SELECT id FROM account WHERE name = 'An'), 100,
  'example', 'payment-1', NULL, NULL, NULL, NULL);

-- CN001 is what the portal knows this refusal by.
SELECT credit_balance FROM ledger_post('p2p',
  (SELECT id FROM account WHERE name = 'An'), (SELECT id FROM account WHERE name = 'Binh'), 101,
  'example', 'transfer-1', 900001, NULL, NULL, NULL);

-- An amount is above zero, and goes to another account.
SELECT credit_balance FROM ledger_post('p2p',
  (SELECT id FROM account WHERE name = 'An'), (SELECT id FROM account WHERE name = 'Binh'), 0,
  'example', 'transfer-2', 900001, NULL, NULL, NULL);
SELECT credit_balance FROM ledger_post('p2p',
  (SELECT id FROM account WHERE name = 'An'), (SELECT id FROM account WHERE name = 'An'), 1,
  'example', 'transfer-3', 900001, NULL, NULL, NULL);

-- Nothing of it happened.
SELECT name, balance, version FROM account JOIN ledger_account USING (id) WHERE user_id IS NOT NULL ORDER BY name;

-- Even the owner of the database cannot leave a wallet below zero.
RESET ROLE;
UPDATE ledger_account SET balance = -1 WHERE id = (SELECT id FROM account WHERE name = 'An');
