-- expand
-- Beside those who write.
ALTER TABLE order_bonus VALIDATE CONSTRAINT order_bonus_state_check;
ALTER TABLE order_bonus VALIDATE CONSTRAINT order_bonus_conditional;

-- A claim waits as long as its case does: the case owns that state, and the claim only how it was decided. What waits without a
-- case is given one.
WITH opened AS (
  INSERT INTO help_case (user_id, about_kind, about_id, about_title, messages, created_at, last_message_at)
  SELECT c.user_id, 'claim', c.id::text, 'Khoản chuyển ' || to_char(c.amount, 'FM999,999,999,999,999,999') || ' VND', 1,
         c.created_at, c.created_at
    FROM recharge_claim c JOIN users u ON u.id = c.user_id AND u.erased_at IS NULL
   WHERE c.status = 'open'
     AND NOT EXISTS (SELECT FROM help_case h WHERE h.about_kind = 'claim' AND h.about_id = c.id::text)
  RETURNING id, user_id, about_id, about_title, created_at)
INSERT INTO help_message (case_id, author_id, is_staff, text, created_at)
SELECT o.id, o.user_id, false, coalesce(n.note, o.about_title), o.created_at
  FROM opened o LEFT JOIN recharge_claim_note n ON n.claim_id = o.about_id::bigint;

-- Saved filters of the list of claims, which are among the cases now.
DELETE FROM saved_filter WHERE list = 'recharge-claims';

CREATE INDEX recharge_claim_amount ON recharge_claim (amount, id) WHERE status <> 'settled';
DROP INDEX recharge_claim_open;
DROP INDEX recharge_claim_open_amount;
DROP INDEX recharge_claim_open_user;
DROP INDEX recharge_claim_status;
-- Alarms and the menu.
CREATE INDEX help_case_waits ON help_case (about_kind, id) WHERE state = 'open';
