-- Operators list the ledger by kind and by amount in the order of time; ledger_transfer_created serves the rest.

CREATE INDEX ledger_transfer_kind ON ledger_transfer (kind, created_at, id);
CREATE INDEX ledger_transfer_amount ON ledger_transfer (amount, created_at, id);
DROP INDEX ledger_transfer_created;
CREATE INDEX ledger_transfer_created ON ledger_transfer (created_at, id);
