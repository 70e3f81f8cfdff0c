-- expand
-- The row of a credited bank transaction is written once, when the ledger has its movement, whose cause is the row's id.
-- So the portal takes the id first.
GRANT USAGE ON SEQUENCE bank_transaction_id_seq TO portal_app;
