-- expand
-- What orders are promised before they are paid. Most hold nothing of a budget: a conditional bonus is drawn from it when the money
-- is there.

ALTER TABLE order_bonus DROP CONSTRAINT order_bonus_state_check;
-- No row of before breaks it, so the rows need not be read while nobody may write.
ALTER TABLE order_bonus ADD CONSTRAINT order_bonus_state_check
  CHECK (state IN ('held', 'conditional', 'granted', 'released')) NOT VALID;
ALTER TABLE order_bonus ADD CONSTRAINT order_bonus_conditional CHECK (state <> 'conditional' OR held = 0) NOT VALID;

-- Several orders of a player may be promised the bonus of a first recharge, since the one that is paid first is it.
DROP INDEX order_bonus_first_once;
CREATE UNIQUE INDEX order_bonus_first_once ON order_bonus (promotion_id, user_id)
  WHERE is_first_recharge AND state = 'granted';

-- Promises of before end with their orders, too.
UPDATE order_bonus b SET hold_until = o.expires_at
  FROM payment_order o WHERE o.id = b.order_id AND b.state = 'held' AND b.held > 0 AND b.hold_until > o.expires_at;
