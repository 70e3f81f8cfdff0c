-- What waits for a second person stands in one table, whatever it is: credits of bank transfers move there, with all that
-- was decided. `payload` says which act, for whom and how much; `subject` is the transfer.
ALTER TABLE proposal DROP CONSTRAINT proposal_kind_check;
ALTER TABLE proposal ADD CONSTRAINT proposal_kind_check CHECK (
  kind IN ('setting', 'adjustment', 'second-factor', 'bank-transfer'));
-- An id in the payload is text, as all ids in JSON are; what is agreed to is whole and above nothing.
ALTER TABLE proposal ADD CONSTRAINT proposal_bank_transfer CHECK (
  kind <> 'bank-transfer' OR coalesce(
    subject ~ '^[1-9][0-9]*$'
    AND payload ->> 'act' IN ('match', 'credit', 'reverse-credit')
    AND (payload ->> 'act' = 'match') = (payload ->> 'order_id' IS NOT NULL)
    AND payload ->> 'user_id' IS NOT NULL
    AND (payload ->> 'rate')::bigint > 0
    AND (payload ->> 'coins')::bigint > 0, false));

-- Why it was decided so was kept with the acts on the transfer only.
INSERT INTO proposal (kind, subject, payload, reason, proposed_by, proposed_at, state, decided_by, decided_at, decision_reason)
  SELECT 'bank-transfer', p.bank_transaction_id::text,
      jsonb_build_object('act', p.act, 'order_id', p.order_id::text, 'user_id', p.user_id::text, 'rate', p.rate, 'coins', p.coins),
      p.reason, p.proposed_by, p.proposed_at, p.state, p.decided_by, p.decided_at,
      (SELECT a.reason FROM bank_transfer_act a
        WHERE a.bank_transaction_id = p.bank_transaction_id AND a.operator_id = p.decided_by
          AND a.act = CASE p.state WHEN 'approved' THEN 'approve' WHEN 'rejected' THEN 'reject' ELSE 'withdraw' END
          AND a.created_at >= p.decided_at
        ORDER BY a.id LIMIT 1)
    FROM bank_transfer_proposal p ORDER BY p.id;
DROP TABLE bank_transfer_proposal;

DROP INDEX proposal_waiting;
CREATE INDEX proposal_waiting ON proposal (proposed_at) WHERE state = 'waiting' AND kind <> 'bank-transfer';
CREATE INDEX proposal_waiting_credit ON proposal (proposed_at) WHERE state = 'waiting' AND kind = 'bank-transfer';

DROP TRIGGER proposal_tells ON proposal;
CREATE TRIGGER proposal_tells AFTER INSERT OR UPDATE OF state ON proposal
  FOR EACH ROW WHEN (NEW.kind <> 'bank-transfer') EXECUTE FUNCTION tell_operators('proposals');
CREATE TRIGGER proposal_tells_of_credit AFTER INSERT OR UPDATE OF state ON proposal
  FOR EACH ROW WHEN (NEW.kind = 'bank-transfer') EXECUTE FUNCTION tell_operators('bank-transfers');
