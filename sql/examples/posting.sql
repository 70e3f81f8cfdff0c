-- Posting: an amount moves from a debit account to a credit account.

-- Wallets are opened for a player's id; accounts of the house are there from the beginning.
CREATE TEMPORARY TABLE account AS
  SELECT 'An' AS name, ledger_open_account('user_wallet', 900001) AS id
  UNION ALL SELECT 'Binh', ledger_open_account('user_wallet', 900002)
  UNION ALL SELECT 'recharge', 9000000000000007;
GRANT SELECT ON account TO portal_app;
-- From here on as the portal: it may read the ledger and call its functions, and write none of its tables.
SET LOCAL ROLE portal_app;

-- An recharges 50,000 TCoin: they come into being, so the house's account falls below zero.
SELECT debit_balance, credit_balance FROM ledger_post('recharge',
  (SELECT id FROM account WHERE name = 'recharge'), (SELECT id FROM account WHERE name = 'An'), 50000,
  'example', 'payment-1', NULL, NULL, NULL, NULL);

-- And sends 20,000 of them to Binh.
SELECT debit_balance, credit_balance FROM ledger_post('p2p',
  (SELECT id FROM account WHERE name = 'An'), (SELECT id FROM account WHERE name = 'Binh'), 20000,
  'example', 'transfer-1', 900001, NULL, NULL, NULL);

SELECT name, balance, version FROM account JOIN ledger_account USING (id) WHERE user_id IS NOT NULL ORDER BY name;

-- An's statement: a chain without gaps, each entry starting where the last one ended.
SELECT account_version, kind, amount, balance_before, balance_after
  FROM ledger_entry WHERE account_id = (SELECT id FROM account WHERE name = 'An') ORDER BY account_version;

-- All balances together are always 0, and so are the two entries of each transfer.
SELECT sum(balance) FROM ledger_account;
SELECT t.kind, count(*), sum(e.amount) FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
 WHERE source_type = 'example' GROUP BY t.id, t.kind, t.source_id ORDER BY source_id;
