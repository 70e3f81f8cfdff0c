-- expand
-- Beside those who write.
ALTER TABLE ledger_transfer VALIDATE CONSTRAINT ledger_transfer_kind_check;
ALTER TABLE proposal VALIDATE CONSTRAINT proposal_kind_check;

-- What inviting a player is worth: decided about once, when their first recharge is three days old.
CREATE TABLE invitation_reward (
  invited_id bigint PRIMARY KEY REFERENCES users (id),
  inviter_id bigint NOT NULL REFERENCES users (id),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'granted', 'review', 'refused')),
  -- When it is decided about; null until the invited player recharges (again).
  due_at timestamptz,
  -- Why it is in review or was refused.
  reasons text[] NOT NULL DEFAULT '{}',
  -- TCoin, as the settings were when it was granted.
  inviter_coins bigint CHECK (inviter_coins > 0),
  invited_coins bigint CHECK (invited_coins > 0),
  -- The inviter's first, second … of a month, in Vietnam, of as many as a month may have.
  month date,
  number integer,
  per_month integer,
  decided_by bigint REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  decided_at timestamptz,
  CONSTRAINT invitation_reward_other CHECK (inviter_id <> invited_id),
  CONSTRAINT invitation_reward_granted CHECK (
    (state = 'granted') = (num_nulls(inviter_coins, invited_coins, month, number, per_month) = 0)
    AND num_nulls(inviter_coins, invited_coins, month, number, per_month) IN (0, 5)),
  CONSTRAINT invitation_reward_within_month CHECK (number BETWEEN 1 AND per_month),
  CONSTRAINT invitation_reward_decided CHECK ((state IN ('granted', 'refused')) = (decided_at IS NOT NULL)),
  CONSTRAINT invitation_reward_due CHECK (state = 'waiting' OR due_at IS NULL)
);
CREATE UNIQUE INDEX invitation_reward_number ON invitation_reward (inviter_id, month, number) WHERE state = 'granted';
CREATE INDEX invitation_reward_waits ON invitation_reward (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX invitation_reward_state ON invitation_reward (state, invited_id);
CREATE INDEX invitation_reward_inviter ON invitation_reward (inviter_id, invited_id);
GRANT SELECT, INSERT ON invitation_reward TO portal_app;
GRANT UPDATE (state, due_at, reasons, inviter_coins, invited_coins, month, number, per_month, decided_by, decided_at)
  ON invitation_reward TO portal_app;

-- Whoever credits money: the first recharge of a player who was invited is decided about three days later. A recharge
-- of somebody who has recharged before there was a row is not the first.
CREATE FUNCTION invitation_waits() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE invitation_reward SET due_at = clock_timestamp() + interval '72 hours'
   WHERE invited_id = NEW.user_id AND state = 'waiting' AND due_at IS NULL;
  IF NOT FOUND THEN
    INSERT INTO invitation_reward (invited_id, inviter_id, due_at)
      SELECT u.id, u.referrer_id, clock_timestamp() + interval '72 hours' FROM users u
       WHERE u.id = NEW.user_id AND u.referrer_id <> u.id AND NOT EXISTS (
         SELECT FROM bank_transaction t WHERE t.user_id = u.id AND t.state = 'credited' AND t.id <> NEW.id)
    ON CONFLICT (invited_id) DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER bank_transaction_invitation_waits AFTER INSERT OR UPDATE OF state ON bank_transaction
  FOR EACH ROW WHEN (NEW.state = 'credited') EXECUTE FUNCTION invitation_waits();
