-- expand
-- A refund at the gateway above the limit waits for a second person too. It says how much goes back, in VND, and no rate:
-- a program from before this release finds none and refuses the transfer, rather than to credit what was to go back.

ALTER TABLE proposal DROP CONSTRAINT proposal_bank_transfer;
ALTER TABLE proposal ADD CONSTRAINT proposal_bank_transfer CHECK (
  kind <> 'bank-transfer' OR coalesce(
    subject ~ '^[1-9][0-9]*$'
    AND (payload ->> 'coins')::bigint > 0
    AND CASE WHEN payload ->> 'act' = 'refund-at-gateway'
      THEN (payload ->> 'amount')::bigint > 0 AND NOT payload ? 'rate' AND NOT payload ? 'order_id'
      ELSE payload ->> 'act' IN ('match', 'credit', 'reverse-credit')
        AND (payload ->> 'act' = 'match') = (payload ->> 'order_id' IS NOT NULL)
        AND payload ->> 'user_id' IS NOT NULL
        AND (payload ->> 'rate')::bigint > 0
      END, false));
