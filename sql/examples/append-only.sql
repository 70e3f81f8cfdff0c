-- What is written stays: not even the owner of the database changes it, as long as the triggers are there.

CREATE TEMPORARY TABLE account AS
  SELECT 'An' AS name, ledger_open_account('user_wallet', 900001) AS id
  UNION ALL SELECT 'recharge', 9000000000000007;
GRANT SELECT ON account TO portal_app;
SELECT credit_balance FROM ledger_post('recharge',
  (SELECT id FROM account WHERE name = 'recharge'), (SELECT id FROM account WHERE name = 'An'), 50000,
  'example', 'payment-1', NULL, NULL, NULL, NULL);

-- As the owner.
UPDATE ledger_transfer SET amount = 1 WHERE source_id = 'payment-1' AND source_type = 'example';
DELETE FROM ledger_entry WHERE account_id = (SELECT id FROM account WHERE name = 'An');
TRUNCATE ledger_entry;

-- A transfer without its two entries does not come to a commit; the check is made before it.
SET CONSTRAINTS ALL IMMEDIATE;
INSERT INTO ledger_transfer (kind, debit_account, credit_account, amount, source_type, source_id)
  SELECT 'recharge', 9000000000000007, id, 1, 'example', 'payment-2' FROM account WHERE name = 'An';

-- As the portal.
SET LOCAL ROLE portal_app;
UPDATE ledger_account SET balance = 1000000 WHERE id = (SELECT id FROM account WHERE name = 'An');
INSERT INTO ledger_entry (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
  VALUES (1, 1, 1, 'recharge', 1, 0, 1, now());
