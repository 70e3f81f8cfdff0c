-- One row at least in every table, as the portal would leave it, for attempts to damage it. Players 1 to 3; 2 and 3 are
-- operators too. The row that is attacked is the only one of its table, or the one that ATTACKED in attempts.ts names.
INSERT INTO installation (name, value) VALUES ('secret', '-');
INSERT INTO settings (key, value) VALUES ('a', 'b');
INSERT INTO content_version (kind) VALUES ('a');
INSERT INTO servers (id, name) VALUES ('1', 'Làng Lá');
INSERT INTO erased_name (hash) VALUES (sha256('name'));
INSERT INTO rate_limit (key) VALUES ('a');

INSERT INTO users (id, username, password_hash, server_id, referrer_id, wallet_account_id) VALUES
  (2, 'linhkunai', '-', '1', NULL, ledger_open_account('user_wallet', 2)),
  (3, 'haigiong', '-', '1', NULL, ledger_open_account('user_wallet', 3)),
  (1, 'tuanninja', '-', '1', 2, ledger_open_account('user_wallet', 1));
SELECT ledger_open_account('receivable', 1);
INSERT INTO user_contacts (user_id, email, phone) VALUES (1, 'a@example.com', '84912345678');
INSERT INTO user_roles (user_id, role) VALUES (2, 'owner');
INSERT INTO former_role (user_id, role, granted_at) VALUES (1, 'owner', now());
INSERT INTO sessions (user_id, token_hash, expires_at, user_agent) VALUES (1, sha256('a'), now(), '-');
INSERT INTO second_factor (user_id, sealed_secret) VALUES (1, '-');
INSERT INTO recovery_code (user_id, code_hash) VALUES (1, sha256('a'));
INSERT INTO known_device (user_id, kind, hash) VALUES (1, 'cookie', sha256('a'));
INSERT INTO sign_in (user_id, outcome, user_agent, place, origin_hash, is_new_device)
  VALUES (1, 'succeeded', '-', 'VN', sha256('a'), true);
INSERT INTO one_time_code (channel, target, code_hash) VALUES ('phone', sha256('a'), sha256('b'));
INSERT INTO sms_message (provider, message_id, sender, outcome) VALUES ('a', '1', sha256('a'), 'code');
INSERT INTO sms_code_day (day, prefix) VALUES ('2026-01-01', '84912');
INSERT INTO password_request (sealed) VALUES ('-');
INSERT INTO password_reset (user_id, token_hash, password_mark, sealed_email) VALUES (1, sha256('a'), sha256('b'), '-');
INSERT INTO mail_outbox (kind, sealed) VALUES ('letter', '-');
INSERT INTO daily_digest (day, user_id, is_sent) VALUES ('2026-01-01', 2, true);
INSERT INTO limited_act (action, operator_id, user_id, coins) VALUES ('users.adjust', 2, 1, 5);
INSERT INTO goods_promise (kind, subject, operator_id, is_alone, luong, loads, ends_at) VALUES ('give-again', '1', 2, false, 5, 5, now());
INSERT INTO staff_invite (token_hash, role, invited_by, expires_at) VALUES (sha256('a'), 'editor', 2, now());
INSERT INTO listed_balance (user_id, balance) VALUES (1, 0);
INSERT INTO player_note (user_id, author_id, text) VALUES (1, 2, 'Khách quen');
INSERT INTO consent (user_id, subject, version, is_given, source) VALUES (1, 'terms', 1, true, 'registration');
INSERT INTO notice (user_id, kind, subject, data) VALUES (1, 'security', 'a', '{"event": "password-changed"}');
INSERT INTO notice_preference (user_id, kind, by_bell) VALUES (1, 'claim', false);
INSERT INTO notice_digest (user_id, made_on, told_until) VALUES (1, '2026-01-01', 1);
INSERT INTO push_key (public_key, sealed_private_key) VALUES (repeat('A', 87), '-');
INSERT INTO push_subscription (user_id, session_id, endpoint, p256dh, auth)
  SELECT 1, min(id), 'https://push.example/1', repeat('A', 87), repeat('A', 22) FROM sessions;
INSERT INTO push_message (notice_id, subscription_id) SELECT 0, id FROM push_subscription;
INSERT INTO saved_filter (user_id, list, name, query) VALUES (2, 'users', 'Bị khóa', '{"sort": "", "filter": ""}');
INSERT INTO legal_draft (kind, user_id, content, based_on) VALUES ('terms', 2, '-', 1);
INSERT INTO deletion_request (user_id, due_at) VALUES (1, now());
SELECT audit_append('operator', 2, 'test.act', 'user', '1', 'vì sao', '{}', '{"name": "tuanninja"}', sha256('a'), NULL);
SELECT audit_seal_day();

INSERT INTO payment_order (id, code, user_id, channel, amount, rate, bank_bin, account_number, account_name, qr, expires_at)
  OVERRIDING SYSTEM VALUE
  VALUES (1, 'TCX7K2QF9XAMM', 1, 2, 500000, 1, '970436', '0011000000001', 'CONG NINJA', '-', now());
INSERT INTO order_note (order_id, user_id, author_id, text) VALUES (1, 1, 2, 'Đã gọi lại');
INSERT INTO payment_checkout (order_id, provider, provider_order, request_id, state, next_query_at)
  VALUES (1, 'momo', 'a', 'a', 'open', now());
DO $world$
DECLARE
  wallet constant bigint := ledger_open_account('user_wallet', 1);
  recharge constant bigint := (SELECT max(id) FROM ledger_account WHERE kind = 'house_recharge');
  revenue constant bigint := (SELECT max(id) FROM ledger_account WHERE kind = 'house_revenue');
  bought bigint;
  fee bigint;
  taken_back bigint;
BEGIN
  SELECT transfer_id INTO bought
    FROM ledger_post('recharge', recharge, wallet, 500000, 'bank_transaction', '1', NULL, NULL, NULL, NULL);
  SELECT transfer_id INTO fee FROM ledger_post('activation', wallet, revenue, 20000, 'user', '1', 1, NULL, NULL, NULL);
  SELECT transfer_id INTO taken_back
    FROM ledger_post('reversal', wallet, recharge, 1000, 'bank_transaction', '2', NULL, 2, NULL, bought);
  INSERT INTO activation (user_id, transfer_id, fee) VALUES (1, fee, 20000);
  INSERT INTO bank_transaction (id, account_number, direction, bank_ref, amount, state, order_id, user_id, credited,
      transfer_id, reversal_of)
    OVERRIDING SYSTEM VALUE
    VALUES (1, '0011000000001', 'in', 'FT1', 500000, 'credited', 1, 1, 500000, bought, NULL),
           (2, '0011000000001', 'out', 'FT2', 500000, 'ignored', NULL, NULL, 0, NULL, 1);
  INSERT INTO credit_reversal (transfer_id, bank_transaction_id, outgoing_id, lent) VALUES (taken_back, 1, 2, 0);
END
$world$;
INSERT INTO payment_event (id, provider, provider_event_id, signature, direction, amount, account_number, virtual_account,
    bank_ref, status, bank_transaction_id, booked_at)
  OVERRIDING SYSTEM VALUE
  VALUES (1, 'sepay', '1', 'valid', 'in', 500000, '0011000000001', 'VA1', 'FT1', 'applied', 1, now());
INSERT INTO payment_event_body (event_id, raw, memo, full_text, payer_account) VALUES (1, '{}', '-', '-', '1');
INSERT INTO bank_transfer_act (bank_transaction_id, act, operator_id, reason, details) VALUES (1, 'accept', 2, 'vì sao', '{}');
INSERT INTO gateway_refund (bank_transaction_id, refund_order, amount, asked_by, reason, next_query_at)
  VALUES (1, 'REFUND01', 1000, 2, 'vì sao', now());
INSERT INTO proposal (kind, subject, payload, reason, proposed_by) VALUES ('setting', 'a', '{}', 'vì sao', 2);
INSERT INTO backup_run (kind, failing_since, error) VALUES ('backup', now(), 'lỗi');
INSERT INTO client_error (fingerprint, site, release, kind, message, place, is_new, pages, engines)
  VALUES (sha256('1'), 'player', 'x1', 'part', 'TypeError', 'src/web/router.tsx:1:1', true, '{/home}', '{"Chrome 109": 1}');
INSERT INTO failed_work (job, subject, failures, error, retry_at) VALUES ('bonuses', '1', 1, 'lỗi', now());
INSERT INTO proposal_agreement (proposal_id, operator_id, reason) SELECT max(id), 1, 'đã xem' FROM proposal;
INSERT INTO budget (title, made_by) VALUES ('Cuối tuần', 2);
INSERT INTO promotion (id, title, budget_id, starts_at, ends_at, kind, percent, minimum, cap_per_player, cap_total, is_first_recharge, channel, given, made_by)
  OVERRIDING SYSTEM VALUE SELECT 1, 'Cuối tuần', id, '2026-01-01', '2026-01-02', 'percent', 20, 0, 1000, 5000, true, 2, 500, 2 FROM budget;
INSERT INTO promotion_use (promotion_id, user_id, cap, amount) VALUES (1, 1, 1000, 500);
INSERT INTO order_bonus (order_id, promotion_id, user_id, is_first_recharge, promised, held, granted, state, hold_until, transfer_id)
  SELECT 1, 1, 1, true, 500, 100, 400, 'granted', now(), min(id) FROM ledger_transfer;
INSERT INTO gift_code_batch (id, title, coins, budget_id, starts_at, ends_at, codes, uses_per_code, per_player, state, uses, held, made_by, started_at)
  OVERRIDING SYSTEM VALUE SELECT 1, 'Mã Tết', 100, id, '2026-01-01', '2026-01-02', 2, 5, 3, 'running', 1, 900, 2, now() FROM budget;
INSERT INTO gift_code (id, hash, batch_id, uses_max, uses) OVERRIDING SYSTEM VALUE VALUES (1, sha256('a'), 1, 5, 1);
INSERT INTO gift_code_use (batch_id, code_id, user_id, number, per_player) VALUES (1, 1, 1, 1, 3);
DELETE FROM invitation_reward;
INSERT INTO invitation_reward (invited_id, inviter_id, state, inviter_coins, invited_coins, month, number, per_month, decided_by, decided_at)
  VALUES (1, 2, 'granted', 5000, 5000, '2026-01-01', 1, 3, 2, now());
INSERT INTO planned_price (setting, before, after, starts_at, reason, planned_by)
  VALUES ('exchange_bonus', '10', '20', '2026-01-01', 'vì sao', 2);
INSERT INTO recharge_claim (id, user_id, amount, paid_at, bank_reference, status, answered_at, answered_by, message,
    bank_transaction_id)
  OVERRIDING SYSTEM VALUE VALUES (1, 1, 500000, now(), 'FT1', 'settled', now(), 2, 'Đã cộng', 1);
INSERT INTO recharge_claim_note (claim_id, note) VALUES (1, '-');
INSERT INTO recharge_claim_picture (claim_id, content, width, height) VALUES (1, '-', 1, 1);
INSERT INTO help_case (user_id, about_kind, about_id, about_title, assigned_to) VALUES (1, 'claim', '1', 'Khoản chuyển', 2);
INSERT INTO help_visitor (case_id, channel, contact) VALUES (1, 'phone', '84912345678');
INSERT INTO help_message (case_id, author_id, is_staff, text) VALUES (1, 1, false, 'a');
INSERT INTO help_picture (message_id, content, width, height) VALUES (1, '-', 1, 1);
INSERT INTO answer_template (title, text) VALUES ('Chào', 'a');
INSERT INTO provider_list (provider, account_number) VALUES ('sepay', '0011000000001');
INSERT INTO given_statement (account_number, given_by, sha256) VALUES ('0011000000001', 2, repeat('a', 64));
INSERT INTO bank_statement_day (account_number, day, provider, in_count, in_vnd, out_count, out_vnd, unreadable)
  VALUES ('0011000000001', '2026-01-01', 'sepay', 0, 0, 0, 0, 0);
INSERT INTO daily_close (account_number, day, revision, status, differences, arrived_count, arrived_vnd, told_vnd, left_vnd,
    credited_vnd, review_vnd, refunded_vnd, ignored_vnd, due_coins, ledger_coins, order_coins, direct_coins, open_events)
  VALUES ('0011000000001', '2026-01-01', 1, 'green', '{}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO daily_close_due (day) VALUES ('2026-01-01');
INSERT INTO reconciliation_run (origin, asked_by) VALUES ('console', 2);
INSERT INTO idempotency_key (scope, key, request_hash) VALUES ('user:1:activate', 'a', '-');

INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, state, settled_at)
  VALUES ('00000000-0000-4000-8000-000000000001', 'exchange', 1, 10000, '1', 'tuanninja', '1', 'Kage', '[]', 'pending', NULL),
         ('00000000-0000-4000-8000-000000000002', 'exchange', 1, 10000, '1', 'tuanninja', '1', 'Kage', '[]', 'delivered', now());
INSERT INTO exchange_order (delivery_id, user_id, amount, rate, bonus_percent, receive)
  SELECT id, 1, 10000, 30, 10, 330000 FROM delivery LIMIT 1;
INSERT INTO order_purchase (order_id, user_id, character_id, character_name, amount, receive, state, delivery_id, until, settled_at)
  SELECT 1, 1, '1', 'Kage', 10000, 3300, 'bought', id, now(), now() FROM delivery LIMIT 1;
INSERT INTO first_gift (delivery_id, user_id, package_id) SELECT id, 1, 9999 FROM delivery LIMIT 1;
INSERT INTO delivery_attempt (delivery_id, operator_id, asked, answer, note, took_ms, asked_at)
  SELECT id, 2, 'deliver', 'applied', '-', 1, now() FROM delivery LIMIT 1;
INSERT INTO delivery_collection (delivery_id, bought_at) SELECT id, created_at FROM delivery WHERE state = 'delivered';
INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, state, replaces)
  VALUES ('00000000-0000-4000-8000-000000000003', 'again', 1, 0, '1', 'tuanninja', '1', 'Kage', '[]', 'parked', '00000000-0000-4000-8000-000000000002');
INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, state)
  VALUES ('00000000-0000-4000-8000-000000000004', 'reward', 1, 0, '1', 'tuanninja', '1', 'Kage', '[]', 'parked'),
         ('00000000-0000-4000-8000-000000000005', 'reward', 1, 0, '1', 'tuanninja', '1', 'Kage', '[]', 'parked');
INSERT INTO reward (delivery_id, user_id, given_for)
  VALUES ('00000000-0000-4000-8000-000000000004', 1, 'check_in:2026-11-27'),
         ('00000000-0000-4000-8000-000000000005', 1, 'milestone:1:1');
INSERT INTO reward (delivery_id, user_id, given_for) SELECT id, 1, 'gift_code:1' FROM delivery LIMIT 1;
INSERT INTO check_in (user_id, day, delivery_id) VALUES (1, '2026-11-27', '00000000-0000-4000-8000-000000000004');
INSERT INTO milestone_program (id, title, starts_at, ends_at, claims_until, state, made_by, started_at) OVERRIDING SYSTEM VALUE
  VALUES (1, 'Mốc nạp tháng', '2026-01-01', '2026-01-02', '2026-01-03', 'running', 2, now());
INSERT INTO milestone_step (id, program_id, at, goods) OVERRIDING SYSTEM VALUE VALUES (1, 1, 1000, '[{}]');
INSERT INTO milestone_claim (user_id, step_id, delivery_id) VALUES (1, 1, '00000000-0000-4000-8000-000000000005');
INSERT INTO game_comparison (started_by, since, until) VALUES (2, '2026-01-01', '2026-01-02');
INSERT INTO missing_delivery (comparison_id, delivery_id, server_id, bought_at)
  SELECT 1, id, server_id, created_at FROM delivery WHERE state = 'delivered';
INSERT INTO give_again_batch (delivery_ids) SELECT array_agg(id) FROM delivery WHERE state = 'delivered';
INSERT INTO game_description (description, tells_collection, read_at) VALUES ('{}', true, now());
INSERT INTO game_character (user_id, id, server_id, name, head, class_id, level) VALUES (1, '1', '1', 'Kage', 1, 1, 1);
INSERT INTO account_change (user_id, version) VALUES (1, 1);
INSERT INTO imported_account (source, game_key, user_id) VALUES ('player', '7', 1);
INSERT INTO contact_hint (user_id, phone, email) VALUES (1, '84912345678', 'tuan@example.com');
INSERT INTO game_character_fetch (user_id, fetched_at) VALUES (1, now());
INSERT INTO game.characters (server_id, account, name, head, class_id, level) VALUES ('1', 'tuanninja', 'Kage', 1, 1, 1);
INSERT INTO game.items (character_id, delivery_id, line, code, quantity)
  SELECT id, gen_random_uuid(), 1, 'a', 1 FROM game.characters;
INSERT INTO game.deliveries (id, body_hash, status) VALUES (gen_random_uuid(), '-', 'applied');
INSERT INTO game.charges (id, body_hash, status, character_id, luong)
  SELECT gen_random_uuid(), '-', 'applied', id, 5 FROM game.characters;

INSERT INTO categories (title) VALUES ('Tin tức');
INSERT INTO posts (title, excerpt, content) VALUES ('Khai mở', '-', '-');
INSERT INTO post_categories (post_id, category_id) SELECT p.id, c.id FROM posts p, categories c;
INSERT INTO post_view (post_id, day, visitor) SELECT id, '2026-01-01', '-' FROM posts;
INSERT INTO post_revision (post_id, revision, state, pictures, saved_at) SELECT id, 1, '{}', '{}', now() FROM posts;
INSERT INTO post_draft (post_id, user_id, state, pictures, based_on) SELECT id, 2, '{}', '{}', now() FROM posts;
INSERT INTO picture (hash, alt, width, height) VALUES ('0123456789abcdef0123456789abcdef', 'Ảnh', 1, 1);
INSERT INTO picture_file (picture_id, width, content) SELECT id, 1, '-' FROM picture;
INSERT INTO ranking_groups (name, source, board, value_name) VALUES ('Cao thủ', 'game', 'level', 'Cấp');
INSERT INTO ranking_snapshots (group_id, taken_at) SELECT id, now() FROM ranking_groups;
INSERT INTO ranking_entries (group_id, rank, user_id, server_id, name, value) SELECT id, 1, 1, '1', 'Kage', 1 FROM ranking_groups;
INSERT INTO ranking_staging (run, group_id, server_id, name, account, value)
  SELECT gen_random_uuid(), id, '1', 'Kage', 'kage', 1 FROM ranking_groups;
INSERT INTO ranking_days (group_id, day, taken_at, class_ids) SELECT id, '2026-01-01', now(), '{}' FROM ranking_groups;
INSERT INTO ranking_day_entries (group_id, day, rank, user_id, server_id, name, value, server_rank, server_class_rank)
  SELECT id, '2026-01-01', 1, 1, '1', 'Kage', 1, 1, 1 FROM ranking_groups;
INSERT INTO ranking_nickname (user_id, nickname, nickname_key, skeleton) VALUES (1, 'Kage', 'kage', 'kage');
INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, max_round, current_round)
  VALUES ('Giải mùa hè', '2026-01-01', '2026-01-02', 0, 1, 3, 1);
INSERT INTO teams (tournament_id, name) SELECT id, unnest(ARRAY['Rồng', 'Hổ']) FROM tournaments;
UPDATE teams SET seed = 1, draw_position = 1, skeleton = 'rong' WHERE name = 'Rồng';
INSERT INTO team_members (tournament_id, team_id, position, character_name, user_id, server_id, character_id)
  SELECT tournament_id, id, 1, 'Kage', 1, '1', '1' FROM teams WHERE name = 'Rồng';
INSERT INTO matches (tournament_id, round, position, team1_id, team2_id)
  SELECT tournament_id, 1, 1, min(id), max(id) FROM teams GROUP BY tournament_id;
INSERT INTO team_invitations (tournament_id, team_id, user_id) SELECT tournament_id, id, 1 FROM teams WHERE name = 'Rồng';
INSERT INTO tournament_reminder (tournament_id, user_id) SELECT min(id), 1 FROM tournaments;
INSERT INTO tournament_follower (tournament_id, user_id) SELECT min(id), 1 FROM tournaments;
INSERT INTO tournament_charges (tournament_id, team_id, user_id, server_id, account, character_id, luong)
  SELECT tournament_id, id, 1, '1', 'tuanninja', '1', 5 FROM teams WHERE name = 'Rồng';
INSERT INTO tournament_events (tournament_id, number, kind, change, before) SELECT id, 1, 'call', '{}', '{}' FROM tournaments;
-- Another one, whose list is closed: nothing of the first one is.
INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, max_round, current_round)
  VALUES ('Giải đã chốt', now() - interval '2 days', now() - interval '1 day', 1, 1, 2, 1);
INSERT INTO tournament_draw (tournament_id, closed_at, list, list_digest, chain, round)
  SELECT max(id), now(), '[]', repeat('a', 64), '{}', 1 FROM tournaments;
INSERT INTO statistics_hour (hour, momo_vnd, vietcombank_vnd, acb_vnd, other_vnd, issued, spent, refunded, wallets_change,
    held_change, debts_change, luong, new_players, first_recharges, computed_at)
  VALUES ('2026-01-01 00:00Z', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, now());
INSERT INTO statistics_part (dimension, hour, part, amount) VALUES ('kind', date_trunc('hour', now()), 'gift', 1);
INSERT INTO statistics_payer (hour, previous_day, first_week, payers, vnd)
  VALUES (date_trunc('hour', now()), '-infinity', '2026-11-02', 1, 1);
INSERT INTO campaign_report (kind, campaign, counted_until, starts_at, ends_at, given, taken_back, held, goods, goods_waiting,
    fees, fees_back, brought, brought_back, recharged, recharged_before, all_recharged, players, new_players, first_payers,
    returned, payers, payers_before, payers_after)
  VALUES ('promotions', '1', now(), now() - interval '1 day', now(), 0, 0, 0, '[]', '[]', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO campaign_report_day (kind, campaign, day, players, brought, given) VALUES ('promotions', '1', '2026-11-02', 0, 0, 0);
INSERT INTO statistics_active_player (period, start, user_id) VALUES ('hour', now(), 1);
INSERT INTO statistics_active (period, start, players) VALUES ('hour', now(), 1);
INSERT INTO alarm_notice (name) VALUES ('a');

-- Above the ids given here by hand.
ALTER TABLE payment_order ALTER COLUMN id RESTART WITH 10;
ALTER TABLE promotion ALTER COLUMN id RESTART WITH 10;
ALTER TABLE milestone_program ALTER COLUMN id RESTART WITH 10;
ALTER TABLE milestone_step ALTER COLUMN id RESTART WITH 10;
ALTER TABLE gift_code_batch ALTER COLUMN id RESTART WITH 10;
ALTER TABLE gift_code ALTER COLUMN id RESTART WITH 10;
ALTER TABLE bank_transaction ALTER COLUMN id RESTART WITH 10;
ALTER TABLE payment_event ALTER COLUMN id RESTART WITH 10;
ALTER TABLE recharge_claim ALTER COLUMN id RESTART WITH 10;
