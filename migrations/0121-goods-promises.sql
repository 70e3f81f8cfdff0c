-- expand
-- Goods that cost nothing, promised at most and given so far: what the limits of an act, of 24 hours and of the budget count.

CREATE TABLE goods_promise (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('gift-codes', 'milestones', 'check-in', 'give-again')),
  -- Of its kind: the campaign, the batch, the day.
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 100),
  -- Who asked for it; null of the daily check-in.
  operator_id bigint REFERENCES users (id),
  -- No second person agreed.
  is_alone boolean NOT NULL,
  luong bigint NOT NULL CHECK (luong >= 0),
  -- Of items and yen: how many times the most that the game takes of each at once, in millionths.
  loads bigint NOT NULL CHECK (loads >= 0),
  given_luong bigint NOT NULL DEFAULT 0,
  given_loads bigint NOT NULL DEFAULT 0,
  promised_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Counted in full until then, and by what was given from then on.
  ends_at timestamptz NOT NULL,
  CONSTRAINT goods_promise_given CHECK (given_luong <= luong AND given_loads <= loads),
  UNIQUE (kind, subject)
);
CREATE INDEX goods_promise_end ON goods_promise (ends_at);
GRANT SELECT, INSERT ON goods_promise TO portal_app;
GRANT UPDATE (given_luong, given_loads, ends_at) ON goods_promise TO portal_app;

-- Programmes that run were promised to everybody.
ALTER TABLE milestone_program ADD COLUMN claims_max integer NOT NULL DEFAULT 1000 CHECK (claims_max > 0);
UPDATE milestone_program SET claims_max = 1000000 WHERE state <> 'planned';
ALTER TABLE milestone_step ADD COLUMN claims integer NOT NULL DEFAULT 0;
GRANT UPDATE (claims) ON milestone_step TO portal_app;
UPDATE milestone_step s SET claims = (SELECT count(*) FROM milestone_claim c WHERE c.step_id = s.id);

-- Batches that run are promises already. What their items come to was not recorded.
INSERT INTO goods_promise (kind, subject, operator_id, is_alone, luong, loads, given_luong, promised_at, ends_at)
SELECT 'gift-codes', b.id, b.made_by, false, each.luong * b.codes * b.uses_per_code, 0, each.luong * b.uses, b.started_at, b.ends_at
  FROM gift_code_batch b CROSS JOIN LATERAL (
    SELECT coalesce(sum((good ->> 'quantity')::bigint) FILTER (WHERE good ->> 'kind' = 'luong'), 0)::bigint AS luong
      FROM jsonb_array_elements(b.goods) good) each
 WHERE b.state = 'running' AND b.goods IS NOT NULL AND b.ends_at > clock_timestamp();
