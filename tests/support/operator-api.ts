import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import type { Endpoint } from '#contract/endpoint.ts'

const FOLDER = join(import.meta.dirname, '../../src/contract/operator')

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'access' in value

/** Every operator call of the contract that is not a read, as `POST /operator/users/{id}/ban`. */
export async function changingCalls(): Promise<Map<string, Endpoint>> {
  const found = new Map<string, Endpoint>()
  const files = await readdir(FOLDER, { recursive: true })
  for (const file of files.filter((name) => /(?<!\.test)\.ts$/.test(name))) {
    const exported = Object.values((await import(join(FOLDER, file))) as Record<string, object>)
    const values = [...exported, ...exported.flatMap((value) => Object.values(value ?? {}))]
    for (const one of values.filter(isEndpoint))
      if (one.method !== 'GET') found.set(`${one.method} ${one.path}`, one)
  }
  return found
}

type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}
type Parameter = { name: string; schema: { contentSchema?: Schema } }

/** The name of a filter and the schema of its values. */
export type ListFilter = [string, Schema]

export type ListRow = Record<string, unknown>

/** The lists of the OpenAPI document that take filters, with the schemas of these. */
export function listsOf(document: unknown): { path: string; filters: ListFilter[] }[] {
  const { paths } = document as { paths: Record<string, { get?: { parameters: Parameter[] } }> }
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const filter = get?.parameters.find(({ name }) => name === 'filter')
    if (!filter || /\{|\.csv$/.test(path)) return []
    return [{ path, filters: Object.entries(filter.schema.contentSchema?.properties ?? {}) }]
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const idOf = (value: unknown): unknown => (value as { id?: unknown } | undefined)?.id
const usernameOf = (value: unknown): unknown => (value as { username?: unknown } | undefined)?.username

/** Filters whose value a row of the list has under another name, or not at all; by list, or for all of them. */
const FROM_ROWS: Record<string, (row: ListRow) => unknown> = {
  account: ({ account_number }) => account_number,
  actor: ({ actor }) => usernameOf(actor),
  asked_by: ({ asked_by }) => usernameOf(asked_by),
  'categories q': ({ title }) => title,
  'game-names q': ({ name }) => name,
  category_id: ({ category_ids }) => (category_ids as unknown[] | undefined)?.[0],
  older_than_seconds: () => 0,
  batch: () => 1,
  'cases about_kind': ({ about }) => (about as { kind?: unknown } | undefined)?.kind,
  'ledger-transfers budget': () => 1,
  'invitation-rewards inviter_id': ({ inviter }) => idOf(inviter),
  'missing-deliveries server_id': ({ server_id }) => server_id,
  'deliveries server_id': ({ server_id }) => server_id,
  'missing-deliveries comparison': () => 1,
  'payment-events q': ({ bank_ref }) => bank_ref,
  'recharge-orders promotion_id': () => '1',
  'pictures q': ({ alt }) => alt,
  'posts q': ({ title }) => title,
  'bank-transfers q': ({ bank_ref }) => bank_ref,
  server_id: ({ server }) => idOf(server),
  'ledger-transfers user': ({ credit }) => usernameOf((credit as { user?: unknown }).user),
  source: ({ source_type, source_id }) => `${textOf(source_type)}:${textOf(source_id)}`,
  subject_type: ({ subject }) => (subject as { type?: unknown } | null)?.type,
  subject_id: ({ subject }) => idOf(subject ?? undefined),
  'tournaments q': ({ name }) => name,
  user: ({ user, account }) => usernameOf(user) ?? account,
  user_id: ({ user, user_id }) => user_id ?? idOf(user),
  'users q': ({ username }) => username,
}

/** Values for a filter: all of a choice, else what rows of the list say. */
export function valuesFor(path: string, [name, schema]: ListFilter, rows: readonly ListRow[]): unknown[] {
  const options = schema.enum ?? schema.anyOf?.flatMap((one) => one.enum ?? one.const ?? [])
  if (options && options.length > 0) return options
  if (schema.const !== undefined) return [schema.const]
  if (schema.type === 'boolean') return [true, false]
  if (/(^|_)(from|to)$/.test(name)) return momentsFor(schema, name)
  const list = path.slice(path.lastIndexOf('/') + 1)
  const read = FROM_ROWS[`${list} ${name}`] ?? FROM_ROWS[name] ?? ((row: ListRow) => row[name])
  return [...new Set(rows.map(read))].filter((value) => value !== undefined && value !== null).slice(0, 3)
}

/** A few days at the one end of the past and a month, as days where the schema requires them. */
function momentsFor({ pattern, format }: Schema, name: string): string[] {
  return (name.endsWith('from') ? [2, 30] : [50, 0]).map((days) => {
    const moment = new Date(Date.now() - days * 86_400_000).toISOString()
    const isDay = format === 'date' || (pattern !== undefined && !new RegExp(pattern).test(moment))
    return isDay ? moment.slice(0, 10) : moment
  })
}

export function withQuery(path: string, query: Record<string, unknown>): string {
  const parameters = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return `${path}?${new URLSearchParams(Object.fromEntries(parameters))}`
}

/** Whose rows they are, and the operator who made them; ids of users. */
type Makers = { player: string; operator: string }

/**
 * Rows for the lists of the operators that the filling (`server/filling`) leaves empty, so that each filter has a value
 * that selects something. As the owner: most of them would take long ways through the portal.
 */
const ROWS = `
  INSERT INTO delivery_collection (delivery_id, bought_at, collected_at, waiting, next_ask_at)
    SELECT id, created_at, CASE WHEN n > 8 THEN settled_at END,
           CASE WHEN n <= 4 THEN ('{offline,bag-full,over-limit,unknown-item}'::text[])[n] END,
           CASE WHEN n <= 8 THEN now() END
      FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM delivery WHERE state = 'delivered') AS applied;
INSERT INTO game_comparison (started_by, since, until, state, finished_at)
  VALUES (:operator, now() - interval '90 days', now(), 'done', now());
INSERT INTO missing_delivery (comparison_id, delivery_id, server_id, bought_at)
  SELECT c.id, d.id, d.server_id, d.created_at FROM game_comparison c, delivery d WHERE d.state = 'delivered' ORDER BY d.id LIMIT 2000;
INSERT INTO give_again_batch (delivery_ids) SELECT array_agg(id) FROM (SELECT id FROM delivery ORDER BY id LIMIT 20) few;
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
INSERT INTO help_case (user_id, about_kind, about_id, about_title, state, assigned_to, first_answered_at, closed_at)
  SELECT 1 + n % 1500, ('{transaction,order,delivery,claim}'::text[])[1 + n % 4], n::text, 'Đơn nạp', s.state,
      CASE WHEN n % 20 > 0 THEN :operator::bigint END, CASE WHEN s.state <> 'open' THEN now() END, CASE s.state WHEN 'closed' THEN now() END
    FROM generate_series(1, 3000) n, LATERAL (SELECT CASE WHEN n % 50 = 0 THEN 'open' WHEN n % 51 = 0 THEN 'answered' ELSE 'closed' END AS state) s;
INSERT INTO help_message (case_id, author_id, is_staff, text) SELECT id, user_id, false, 'Chưa thấy' FROM help_case;
INSERT INTO client_error (fingerprint, site, release, kind, message, place, is_new, pages, engines, handled_at)
  SELECT sha256(n::text::bytea), CASE n % 2 WHEN 0 THEN 'player' ELSE 'console' END, 'r' || n % 3,
      ('{script,promise,part,code}'::text[])[1 + n % 4], 'Error ' || n, '', n % 2 = 0, '{/home}', '{"Chrome 109": 1}',
      CASE WHEN n % 5 = 0 THEN now() END
    FROM generate_series(1, 40) n;
INSERT INTO failed_work (job, subject, failures, error, retry_at)
  SELECT 'bonuses', n::text, n, 'thử', now() + interval '1 hour' FROM generate_series(1, 40) n;
INSERT INTO answer_template (title, text) SELECT 'Mẫu ' || n, 'Chào bạn' FROM generate_series(1, 200) n;
INSERT INTO daily_close (account_number, day, revision, status, differences, arrived_count, arrived_vnd, told_vnd, left_vnd,
    credited_vnd, review_vnd, refunded_vnd, ignored_vnd, due_coins, ledger_coins, order_coins, direct_coins, open_events)
  SELECT '0011000000001', current_date - n, 1, CASE n % 2 WHEN 0 THEN 'green' ELSE 'red' END, CASE n % 2 WHEN 0 THEN '{}' ELSE '{ledger}'::text[] END,
      n % 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    FROM generate_series(1, 2000) n;
INSERT INTO deletion_request (user_id, due_at, state, ended_at)
  SELECT 1 + n, now(), 'withdrawn', now() FROM generate_series(1, 2000) n;
INSERT INTO deletion_request (user_id, due_at) SELECT 600 + n, now() FROM generate_series(1, 10) n;
SELECT audit_append('operator', :operator, 'users.act' || n % 50, 'user', n::text, 'vì sao', '{}', NULL, NULL, 'request-' || n) FROM generate_series(1, 2000) n;
SET session_replication_role = replica;
UPDATE audit_log SET at = at - interval '100 days' WHERE seq % 2 = 0;
RESET session_replication_role;
INSERT INTO staff_invite (token_hash, role, invited_by, expires_at) VALUES (sha256('list'), 'editor', :operator, now() + interval '1 day');
INSERT INTO budget (title, made_by) SELECT 'Ngân sách ' || n, :operator FROM generate_series(1, 1500) n;
INSERT INTO promotion (title, budget_id, starts_at, ends_at, kind, percent, minimum, cap_per_player, cap_total, is_first_recharge, made_by, state, started_at, stopped_by, stopped_at)
  SELECT 'Khuyến mãi ' || n, 1 + n % 1500, now(), now() + interval '1 day', 'percent', 20, 0, 1000, 5000, false, :operator, s.state,
      CASE WHEN s.state <> 'planned' THEN now() END, CASE s.state WHEN 'stopped' THEN :operator::bigint END, CASE s.state WHEN 'stopped' THEN now() END
    FROM generate_series(1, 1500) n, LATERAL (SELECT CASE WHEN n <= 3 THEN 'running' WHEN n % 2 = 0 THEN 'stopped' ELSE 'planned' END AS state) s;
INSERT INTO order_bonus (order_id, promotion_id, user_id, is_first_recharge, promised, held, state, hold_until)
  SELECT o.id, p.id, o.user_id, false, 10, 0, 'released', now()
    FROM (SELECT id, user_id, row_number() OVER (ORDER BY id) - 1 AS row FROM payment_order ORDER BY id LIMIT 3000) o
    JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS row FROM promotion) p ON p.row = o.row % 1500
  ON CONFLICT DO NOTHING;
INSERT INTO milestone_program (title, starts_at, ends_at, claims_until, made_by, state, started_at, stopped_by, stopped_at)
  SELECT 'Mốc nạp ' || n, now() + (500 + n) * interval '1 day', now() + (501 + n) * interval '1 day', now() + (501 + n) * interval '1 day', :operator, s.state,
      CASE WHEN s.state <> 'planned' THEN now() END, CASE s.state WHEN 'stopped' THEN :operator::bigint END, CASE s.state WHEN 'stopped' THEN now() END
    FROM generate_series(1, 1500) n, LATERAL (SELECT CASE WHEN n <= 3 THEN 'running' WHEN n % 2 = 0 THEN 'stopped' ELSE 'planned' END AS state) s;
INSERT INTO milestone_step (program_id, at, goods) SELECT id, 100000, '[{"kind": "luong", "quantity": 1}]' FROM milestone_program
    WHERE id NOT IN (SELECT program_id FROM milestone_step);
INSERT INTO gift_code_batch (title, coins, budget_id, starts_at, ends_at, codes, uses_per_code, per_player, made_by, state, started_at, stopped_by, stopped_at)
  SELECT 'Đợt mã ' || n, 100, 1 + n % 1500, now(), now() + interval '1 day', 1, 5000, 1, :operator, s.state,
      CASE WHEN s.state <> 'planned' THEN now() END, CASE s.state WHEN 'stopped' THEN :operator::bigint END, CASE s.state WHEN 'stopped' THEN now() END
    FROM generate_series(1, 1500) n, LATERAL (SELECT CASE WHEN n <= 3 THEN 'running' WHEN n % 2 = 0 THEN 'stopped' ELSE 'planned' END AS state) s;
INSERT INTO gift_code (hash, batch_id, uses_max) SELECT sha256(id::text::bytea), id, 5000 FROM gift_code_batch WHERE uses_per_code = 5000;
INSERT INTO gift_code_use (batch_id, code_id, user_id, number, per_player)
  SELECT c.batch_id, c.id, u.id, 1, 1 FROM generate_series(0, 2999) n
    JOIN gift_code c ON c.batch_id = (SELECT min(id) FROM gift_code_batch WHERE uses_per_code = 5000) + n % 1500
    JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS row FROM users) u ON u.row = n / 15;
INSERT INTO invitation_reward (invited_id, inviter_id, state, reasons, due_at, inviter_coins, invited_coins, month, number, per_month, decided_at)
  SELECT u.id, inviter.id, s.state, CASE WHEN s.state = 'review' THEN '{device}'::text[] ELSE '{}' END,
      CASE s.state WHEN 'waiting' THEN now() + interval '1 day' END, g.coins, g.coins, CASE WHEN g.coins IS NOT NULL THEN date '2026-01-01' END,
      CASE WHEN g.coins IS NOT NULL THEN u.row END, CASE WHEN g.coins IS NOT NULL THEN 1000000 END,
      CASE WHEN s.state IN ('granted', 'refused') THEN now() END
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS row FROM users ORDER BY id LIMIT 1500 OFFSET 5) u,
      LATERAL (SELECT (array['waiting', 'granted', 'review', 'refused'])[1 + CASE WHEN u.row < 200 THEN 2 ELSE u.row % 4 END] AS state) s,
      LATERAL (SELECT CASE s.state WHEN 'granted' THEN 5000 END AS coins) g,
      LATERAL (SELECT min(id) + u.row % 4 AS id FROM users) inviter
  ON CONFLICT DO NOTHING;
INSERT INTO categories (title) SELECT 'Tin tức ' || n FROM generate_series(1, 5) n;
INSERT INTO posts (title, excerpt, content) SELECT 'Khai mở ' || n, '-', '-' FROM generate_series(1, 5) n;
INSERT INTO posts (title, excerpt, content, publish_at) VALUES ('Sắp tới', '-', '-', now() + interval '1 day');
INSERT INTO post_categories (post_id, category_id) SELECT p.id, c.id FROM posts p, categories c;
INSERT INTO picture (hash, alt, width, height) VALUES ('0123456789abcdef0123456789abcdef', 'Ảnh', 1, 1);
INSERT INTO ranking_groups (name, source, board, value_name) SELECT 'Cao thủ ' || n, 'game', 'level', 'Cấp' FROM generate_series(1, 5) n;
INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, max_round, current_round)
  SELECT 'Giải mùa hè ' || n, '2026-01-01', '2026-01-02', 0, 1, 3, 1 FROM generate_series(1, 5) n;
INSERT INTO user_roles (user_id, role) SELECT n, 'owner' FROM generate_series(11, 14) n;
INSERT INTO proposal (kind, subject, payload, reason, proposed_by, takes_effect_at)
  SELECT 'setting', 'game_link_' || n, '{"before": "", "after": "x"}', 'Đổi cài đặt', 10 + n, now() + interval '1 day' FROM generate_series(1, 4) n;
SELECT ledger_post('budget', 9000000000000002, account_id, 1000, 'budget', id || ':' || n, NULL, NULL, NULL, NULL)
  FROM budget, generate_series(1, 30) n WHERE id = 1;
SELECT ledger_post('debt', ledger_open_account('receivable', u.id), u.wallet_account_id, 10, 'user', u.id::text, NULL, NULL, NULL, NULL)
  FROM users u WHERE u.id = 600;
`

export async function addListRows(client: Client, { player, operator }: Makers): Promise<void> {
  for (const id of [player, operator]) if (!/^\d+$/.test(id)) throw new TypeError(`${id} is no id of a user`)
  await client.query(ROWS.replaceAll(':player', player).replaceAll(':operator', operator))
  await client.query('VACUUM (ANALYZE)')
}
