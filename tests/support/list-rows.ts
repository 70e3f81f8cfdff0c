import type { Client } from 'pg'

/** Whose rows they are, and the operator who made them; ids of users. */
type Makers = { player: string; operator: string }

/**
 * Rows for the lists of the operators that the filling (`server/filling`) leaves empty, so that each filter has a value
 * that selects something. As the owner: most of them would take long ways through the portal.
 */
const ROWS = `
INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, bank_ref, status, booked_at)
  SELECT 'sepay', 'open-' || n, 'valid', 'in', 50000, '0011000000001', 'OPEN' || n,
      CASE n % 2 WHEN 0 THEN 'stale' ELSE 'review' END, now() - interval '1 hour'
    FROM generate_series(1, 20) n;
INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, state, reason)
  SELECT '0011000000001', CASE n % 2 WHEN 0 THEN 'in' ELSE 'out' END, 'LIST' || n, 70000, 'review', 'no-code'
    FROM generate_series(1, 20) n;
INSERT INTO gateway_refund (bank_transaction_id, refund_order, amount, asked_by, reason, state, decided_at, provider_ref, next_query_at)
  SELECT id, 'REFUND' || lpad(id::text, 6, '0'), 1000, :operator, 'Trả lại người gửi', s.state,
      CASE WHEN s.state <> 'asked' THEN now() END, CASE s.state WHEN 'done' THEN '1' END, CASE s.state WHEN 'asked' THEN now() END
    FROM (SELECT id, CASE id % 100 WHEN 0 THEN 'asked' WHEN 1 THEN 'failed' ELSE 'done' END AS state FROM bank_transaction ORDER BY id LIMIT 2000) s;
INSERT INTO proposal (kind, subject, payload, reason, proposed_by)
  SELECT 'bank-transfer', id::text, '{"act": "credit", "user_id": ":player", "rate": 1, "coins": 1}', 'Khách gửi biên lai', :operator
    FROM bank_transaction WHERE state = 'review' ORDER BY id LIMIT 3;
INSERT INTO proposal (kind, subject, payload, reason, proposed_by, state, decided_by, decided_at)
  SELECT 'setting', 'exchange_rate', '{"before": "30", "after": "31"}', 'Đổi tỉ giá', :operator, 'withdrawn', :operator, now()
    FROM generate_series(1, 150);
INSERT INTO planned_price (setting, before, after, starts_at, ends_at, state, reason, planned_by, started_at, closed_at)
  SELECT 'exchange_bonus', '10', '20', now() + n * interval '1 hour', NULL, CASE WHEN n <= 5 THEN 'planned' ELSE 'cancelled' END, 'Khuyến mãi',
      :operator, NULL, CASE WHEN n > 5 THEN now() END
    FROM generate_series(1, 1500) n;
INSERT INTO recharge_claim (user_id, amount, paid_at, bank_reference, status, answered_at, answered_by, message)
  SELECT 1 + n % 1500, 50000, now(), 'FT' || n, CASE n % 3 WHEN 0 THEN 'open' ELSE 'rejected' END,
      CASE WHEN n % 3 > 0 THEN now() END, CASE WHEN n % 3 > 0 THEN :operator::bigint END, CASE WHEN n % 3 > 0 THEN 'Chưa thấy tiền' END
    FROM generate_series(1, 1200) n;
INSERT INTO daily_close (account_number, day, revision, status, differences, arrived_count, arrived_vnd, told_vnd, left_vnd,
    credited_vnd, review_vnd, refunded_vnd, ignored_vnd, due_coins, ledger_coins, order_coins, direct_coins, open_events)
  SELECT '0011000000001', current_date - n, 1, CASE n % 2 WHEN 0 THEN 'green' ELSE 'red' END, CASE n % 2 WHEN 0 THEN '{}' ELSE '{ledger}'::text[] END,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    FROM generate_series(1, 2000) n;
INSERT INTO deletion_request (user_id, due_at, state, ended_at)
  SELECT 1 + n, now(), 'withdrawn', now() FROM generate_series(1, 2000) n;
INSERT INTO deletion_request (user_id, due_at) SELECT 600 + n, now() FROM generate_series(1, 10) n;
SELECT audit_append('operator', :operator, 'users.act' || n % 50, 'user', n::text, 'vì sao', '{}', NULL, NULL, 'request-' || n) FROM generate_series(1, 2000) n;
SET session_replication_role = replica;
UPDATE audit_log SET at = at - interval '100 days' WHERE seq % 2 = 0;
RESET session_replication_role;
INSERT INTO staff_invite (token_hash, role, invited_by, expires_at) VALUES (sha256('list'), 'editor', :operator, now() + interval '1 day');
INSERT INTO categories (title) VALUES ('Tin tức');
INSERT INTO posts (title, excerpt, content) VALUES ('Khai mở', '-', '-');
INSERT INTO posts (title, excerpt, content, publish_at) VALUES ('Sắp tới', '-', '-', now() + interval '1 day');
INSERT INTO post_categories (post_id, category_id) SELECT p.id, c.id FROM posts p, categories c;
INSERT INTO picture (hash, alt, width, height) VALUES ('0123456789abcdef0123456789abcdef', 'Ảnh', 1, 1);
INSERT INTO ranking_groups (name, source, board, value_name) VALUES ('Cao thủ', 'game', 'level', 'Cấp');
INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, max_round, current_round)
  VALUES ('Giải mùa hè', '2026-01-01', '2026-01-02', 0, 1, 3, 1);
SELECT ledger_post('debt', ledger_open_account('receivable', u.id), u.wallet_account_id, 10, 'user', u.id::text, NULL, NULL, NULL, NULL)
  FROM users u WHERE u.id = 600;
`

export async function addListRows(client: Client, { player, operator }: Makers): Promise<void> {
  for (const id of [player, operator]) if (!/^\d+$/.test(id)) throw new TypeError(`${id} is no id of a user`)
  await client.query(ROWS.replaceAll(':player', player).replaceAll(':operator', operator))
  await client.query('VACUUM (ANALYZE)')
}
