-- What operators are alarmed about, each found by an index, and told about as it comes.

-- The last run of a check that reads everything, so that an alarm only reads its outcome.
CREATE TABLE stored_check (
  name text PRIMARY KEY CHECK (name IN ('audit-chain', 'ledger')),
  started_at timestamptz NOT NULL DEFAULT '-infinity',
  checked_at timestamptz,
  faults bigint NOT NULL DEFAULT 0 CHECK (faults >= 0)
);
INSERT INTO stored_check (name) VALUES ('audit-chain'), ('ledger');
GRANT SELECT, UPDATE ON stored_check TO portal_app;

CREATE INDEX mail_outbox_failed ON mail_outbox (created_at) WHERE last_error IS NOT NULL;
CREATE INDEX bank_transfer_proposal_waiting ON bank_transfer_proposal (proposed_at) WHERE state = 'waiting';
CREATE INDEX proposal_waiting ON proposal (proposed_at) WHERE state = 'waiting';
CREATE INDEX recharge_claim_open ON recharge_claim (created_at) WHERE status = 'open';

-- Sent at COMMIT, once a transaction for each kind.
CREATE FUNCTION tell_operators() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('operator_event', TG_ARGV[0]);
  RETURN NULL;
END
$$;
CREATE TRIGGER bank_transaction_tells AFTER INSERT OR UPDATE OF state ON bank_transaction
  FOR EACH ROW WHEN (NEW.state = 'review') EXECUTE FUNCTION tell_operators('bank-transfers');
CREATE TRIGGER delivery_tells AFTER INSERT OR UPDATE OF state ON delivery
  FOR EACH ROW WHEN (NEW.state = 'parked') EXECUTE FUNCTION tell_operators('deliveries');
CREATE TRIGGER proposal_tells AFTER INSERT OR UPDATE OF state ON proposal
  FOR EACH ROW EXECUTE FUNCTION tell_operators('proposals');
CREATE TRIGGER bank_transfer_proposal_tells AFTER INSERT OR UPDATE OF state ON bank_transfer_proposal
  FOR EACH ROW EXECUTE FUNCTION tell_operators('bank-transfers');
