-- expand
-- A transaction that notifies takes a lock of the whole server for its commit: the program now notifies operators after
-- it, as it does everybody. The open consoles of an older program find what changed at their next poll.
DROP TRIGGER bank_transaction_tells ON bank_transaction;
DROP TRIGGER delivery_tells ON delivery;
DROP TRIGGER proposal_tells ON proposal;
DROP TRIGGER proposal_tells_of_credit ON proposal;
DROP FUNCTION tell_operators();
