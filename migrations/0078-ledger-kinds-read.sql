-- expand
-- Beside those who write.
ALTER TABLE ledger_account VALIDATE CONSTRAINT ledger_account_kind_check;
ALTER TABLE ledger_transfer VALIDATE CONSTRAINT ledger_transfer_kind_check;
