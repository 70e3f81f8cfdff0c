import { GROWING } from '#scripts/retention.ts'
import { OLD_ROWS } from '../torture/retention/old-rows.ts'

/**
 * Rows that a loop works off, of which one is poisoned. `insert` reads `n` and the `id` of a player from `made`; the first row of
 * `table` that `isDue` cannot be changed. Where the loop adds rows instead, `poisoned` says which of these cannot be added, and
 * `left` counts what is not there yet.
 */
export type PoisonedLoop = { job: string; table: string; insert?: string } & (
  | { isDue: string; among?: string }
  | { poisoned: string; left: string }
)

const REWARD = `INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods`
const DELIVERED = (name: string) => `given AS (
  ${REWARD}, state, settled_at)
  SELECT gen_random_uuid(), 'reward', id, 0, '1', 'a', '${name}' || n, 'C', '[]', 'delivered', now() FROM made RETURNING id)`

const order = (code: string) => `orders AS (
  INSERT INTO payment_order (code, user_id, channel, amount, rate, bank_bin, account_number, account_name, qr, expires_at)
  SELECT 'TCX${code}' || (n + 1), id, 2, 50000, 1, '970436', '1', 'A', '-', now() + interval '1 hour' FROM made RETURNING *)`

const cups = (name: string, columns: Record<string, string>) => `cups AS (
  INSERT INTO tournaments (name, registration_start_at, mode, type, max_round, ${Object.keys(columns).join(', ')})
  SELECT '${name} ' || n, now() - interval '2 days', 1, 1, 1, ${Object.values(columns).join(', ')} FROM made
  RETURNING id, (SELECT user_id FROM (SELECT id AS user_id, n FROM made) m WHERE m.n = right(name, 1)::int))`

const teams = (state: string, held: string) => `teams AS (
  INSERT INTO teams (tournament_id, name, state, captain_id, held_until)
  SELECT id, 'T' || id, '${state}', user_id, ${held} FROM cups RETURNING *)`

const MEMBERS = `members AS (
  INSERT INTO team_members (tournament_id, team_id, position, character_name, user_id, server_id, character_id)
  SELECT tournament_id, id, 1, 'C', captain_id, '1', 'c' FROM teams)`

const TOMORROW = { competition_start_at: `now() + interval '1 day'` }

/** What the loops work off; at the end what they remove, by table. */
export const POISONED_LOOPS: readonly PoisonedLoop[] = [
  {
    job: 'deliveries',
    table: 'delivery',
    insert: `${REWARD}) SELECT gen_random_uuid(), 'reward', id, 0, '1', 'a', 'due' || n, 'C', '[]' FROM made`,
    among: `character_id LIKE 'due%'`,
    isDue: 'settled_at IS NULL',
  },
  {
    job: 'delivery leases',
    table: 'delivery',
    insert: `${REWARD}, state, lease_until, lease_token)
      SELECT gen_random_uuid(), 'reward', id, 0, '1', 'a', 'leased' || n, 'C', '[]', 'sending', now() - interval '1 minute',
             gen_random_uuid() FROM made`,
    among: `character_id LIKE 'leased%'`,
    isDue: `state = 'sending' AND last_error IS NULL`,
  },
  {
    job: 'sleeping deliveries',
    table: 'delivery',
    insert: `${REWARD}, next_attempt_at)
      SELECT gen_random_uuid(), 'reward', id, 0, '1', 'a', 'asleep' || n, 'C', '[]', now() + interval '1 day' FROM made`,
    among: `character_id LIKE 'asleep%'`,
    isDue: `next_attempt_at > now() + interval '1 hour'`,
  },
  {
    job: 'deliveries behind others',
    table: 'delivery',
    insert: `WITH ${DELIVERED('before')} ${REWARD}, waits_behind)
      SELECT gen_random_uuid(), 'reward', made.id, 0, '1', 'a', 'behind' || n, 'C', '[]', (SELECT min(given.id::text)::uuid FROM given)
        FROM made`,
    among: `character_id LIKE 'behind%'`,
    isDue: 'waits_behind IS NOT NULL',
  },
  {
    job: 'collected goods',
    table: 'delivery_collection',
    insert: `WITH ${DELIVERED('asked')}
      INSERT INTO delivery_collection (delivery_id, bought_at, next_ask_at) SELECT id, now(), now() FROM given`,
    isDue: 'collected_at IS NULL',
  },
  {
    job: 'silent cases',
    table: 'help_case',
    insert: `INSERT INTO help_case (user_id, about_kind, about_id, about_title, state, last_message_at, first_answered_at)
      SELECT id, 'order', 'silent-' || n, 'A', 'answered', now() - interval '15 days', now() FROM made`,
    among: `about_id LIKE 'silent-%'`,
    isDue: `state = 'answered'`,
  },
  {
    job: 'rankings',
    table: 'ranking_groups',
    insert: `INSERT INTO ranking_groups (name, source, board, value_name) SELECT 'due ' || n, 'game', 'level', '-' FROM made`,
    among: `name LIKE 'due %'`,
    isDue: 'NOT EXISTS (SELECT FROM ranking_snapshots s WHERE s.group_id = ranking_groups.id)',
  },
  {
    job: 'order of players by balance',
    table: 'listed_balance',
    poisoned: 'r.user_id = (SELECT min(id) FROM users)',
    left: `SELECT count(*)::int FROM users WHERE NOT EXISTS (SELECT FROM listed_balance l WHERE l.user_id = users.id)`,
  },
  {
    job: 'figures of the last hours',
    table: 'statistics_hour',
    insert: `UPDATE users SET created_at = now() - interval '4 hours' WHERE id = (SELECT min(id) FROM users)`,
    poisoned: `r.hour = date_trunc('hour', now() - interval '4 hours', 'UTC')`,
    // At night the clock of the loops is ahead: they count the hours until its morning too.
    left: `SELECT 5 - count(*)::int FROM statistics_hour WHERE hour <= now()`,
  },
  {
    job: 'campaign reports',
    table: 'campaign_report',
    insert: `WITH hour AS (
        INSERT INTO statistics_hour (hour, momo_vnd, vietcombank_vnd, acb_vnd, other_vnd, issued, spent, refunded, wallets_change,
          held_change, debts_change, luong, new_players, first_recharges, computed_at)
        VALUES (date_trunc('hour', now(), 'UTC'), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, now()) ON CONFLICT DO NOTHING)
      INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, max_round)
      SELECT 'Reported ' || n, now() - interval '2 days', now() - interval '1 day', 0, 1, 3 FROM made`,
    poisoned: `r.campaign = (SELECT min(id) FROM tournaments WHERE name LIKE 'Reported %')::text`,
    left: `SELECT count(*)::int FROM tournaments WHERE name LIKE 'Reported %' AND NOT EXISTS (
      SELECT FROM campaign_report r WHERE r.kind = 'tournaments' AND r.campaign = tournaments.id::text)`,
  },
  {
    job: 'recharge checkouts',
    table: 'payment_checkout',
    insert: `WITH ${order('CHECKCUTA')} INSERT INTO payment_checkout (order_id, provider, provider_order, request_id, next_query_at)
      SELECT id, 'sepay', code, code, now() FROM orders`,
    isDue: 'queries = 0',
  },
  {
    job: 'order purchases',
    table: 'order_purchase',
    insert: `WITH ${order('BUYNGGADD')} INSERT INTO order_purchase (order_id, user_id, character_id, character_name, amount, receive, until,
        next_attempt_at) SELECT id, user_id, 'c', 'C', 10000, 1, now() - interval '1 hour', now() FROM orders`,
    among: `character_id = 'c'`,
    isDue: `state = 'waiting'`,
  },
  {
    job: 'unpaid order purchases',
    table: 'order_purchase',
    insert: `WITH ${order('UNPADGADD')} INSERT INTO order_purchase (order_id, user_id, character_id, character_name, amount, receive, until)
      SELECT id, user_id, 'unpaid', 'C', 10000, 1, now() - interval '1 hour' FROM orders`,
    among: `character_id = 'unpaid'`,
    isDue: `state = 'waiting'`,
  },
  {
    job: 'proposals',
    table: 'proposal',
    insert: `INSERT INTO proposal (kind, subject, payload, reason, proposed_by, takes_effect_at)
      SELECT 'second-factor', id::text, '{}', 'vì sao', id, now() FROM made`,
    isDue: `state = 'waiting'`,
  },
  {
    job: 'daily check of the audit trail',
    table: 'stored_check',
    insert: `UPDATE stored_check SET started_at = '-infinity'`,
    isDue: `started_at = '-infinity'`,
  },
  {
    job: 'gateway refunds',
    table: 'gateway_refund',
    insert: `WITH money AS (
        INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, state, reason)
        SELECT '1', 'in', 'hoan ' || n, 50000, 'review', 'no-code' FROM made RETURNING id)
      INSERT INTO gateway_refund (bank_transaction_id, refund_order, amount, asked_by, reason, next_query_at)
      SELECT id, 'REFUND0' || id, 1000, (SELECT min(id) FROM users), 'vì sao', now() FROM money`,
    isDue: 'queries = 0',
  },
  {
    job: 'game accounts',
    table: 'account_change',
    insert: `INSERT INTO account_change (user_id, version) SELECT id, 1 FROM made
      ON CONFLICT (user_id) DO UPDATE SET next_attempt_at = now()`,
    isDue: 'next_attempt_at IS NOT NULL',
  },
  {
    job: 'mails of unread notices',
    table: 'notice_digest',
    insert: `INSERT INTO notice_digest (user_id, made_on, told_until) SELECT id, '2026-01-01', 0 FROM made`,
    isDue: `made_on = '2026-01-01'`,
  },
  {
    job: 'daily digests',
    table: 'daily_digest',
    insert: `WITH owners AS (INSERT INTO user_roles (user_id, role) SELECT id, 'owner' FROM made RETURNING user_id)
      UPDATE user_contacts c SET email = 'chu' || c.user_id || '@thu.test', email_verified_at = now() FROM owners
       WHERE c.user_id = owners.user_id`,
    poisoned: 'r.user_id = (SELECT min(user_id) FROM user_roles)',
    left: `SELECT count(*)::int FROM user_roles WHERE NOT EXISTS (SELECT FROM daily_digest d WHERE d.user_id = user_roles.user_id)`,
  },
  {
    job: 'deletion requests',
    table: 'deletion_request',
    // Of players of whom no other loop has rows.
    insert: `INSERT INTO deletion_request (user_id, due_at, state, decided_at, decided_by, next_attempt_at)
      SELECT id, now(), 'approved', now(), (SELECT min(id) FROM users), now() FROM (SELECT id FROM users ORDER BY id DESC LIMIT 3) last`,
    isDue: `state = 'approved'`,
  },
  {
    job: 'tournament closes',
    table: 'tournaments',
    insert: `WITH ${cups('closing', { competition_start_at: `now() - interval '1 hour'` })} SELECT FROM cups`,
    among: `name LIKE 'closing %'`,
    isDue: 'closed_at IS NULL',
  },
  {
    job: 'tournament places',
    table: 'teams',
    insert: `WITH ${cups('held', TOMORROW)}, ${teams('held', `now() - interval '1 hour'`)} SELECT FROM teams`,
    isDue: `state = 'held'`,
  },
  {
    job: 'tournament charges',
    table: 'tournament_charges',
    insert: `WITH ${cups('charged', TOMORROW)}, ${teams('admitted', 'NULL')}
      INSERT INTO tournament_charges (tournament_id, team_id, user_id, server_id, account, character_id, luong, state)
      SELECT tournament_id, id, captain_id, '1', 'a', 'c', 5, 'refunding' FROM teams`,
    isDue: `state = 'refunding'`,
  },
  {
    job: 'tournament follow-up',
    table: 'tournament_charges',
    insert: `WITH ${cups('kept', { ...TOMORROW, cancelled_at: 'now()' })}, ${teams('admitted', 'NULL')}
      INSERT INTO tournament_charges (tournament_id, team_id, user_id, server_id, account, character_id, luong, state, applied_at)
      SELECT tournament_id, id, captain_id, '1', 'a', 'c', 5, 'applied', now() FROM teams`,
    isDue: `state = 'applied'`,
  },
  {
    job: 'tournament follow-up',
    table: 'tournaments',
    insert: `WITH ${cups('untold', { ...TOMORROW, cancelled_at: 'now()', cancelled_told_to: '0' })} SELECT FROM cups`,
    isDue: 'cancelled_told_to IS NOT NULL',
  },
  {
    job: 'tournament follow-up',
    table: 'teams',
    insert: `WITH ${cups('drawn', { ...TOMORROW, current_round: '1' })}, ${teams('waiting', 'NULL')} SELECT FROM teams`,
    isDue: `state = 'waiting'`,
  },
  {
    job: 'tournament check-in',
    table: 'tournament_reminder',
    insert: `WITH ${cups('check-in', { ...TOMORROW, check_in_minutes: '1440', opened_at: 'now()' })}, ${teams('admitted', 'NULL')}, ${MEMBERS}
      SELECT FROM teams`,
    poisoned: 'r.user_id = (SELECT min(user_id) FROM team_members)',
    left: `SELECT count(*)::int FROM team_members m WHERE NOT EXISTS (
      SELECT FROM tournament_reminder t WHERE t.user_id = m.user_id)`,
  },
  {
    job: 'tournament followers',
    table: 'tournament_follower',
    insert: `WITH ${cups('followed', { competition_start_at: `now() - interval '1 hour'`, current_round: '1' })}
      INSERT INTO tournament_follower (tournament_id, user_id) SELECT (SELECT min(id) FROM cups), id FROM made`,
    isDue: 'told_at IS NULL',
  },
  {
    job: 'messages of alarms',
    table: 'alarm_notice',
    insert: `INSERT INTO alarm_notice (name, message_id, message)
      SELECT (ARRAY['failed-mails', 'failed-refunds', 'red-closes'])[n], gen_random_uuid(), '{}' FROM made`,
    among: `name IN ('failed-mails', 'failed-refunds', 'red-closes')`,
    isDue: 'attempt = 0',
  },
  {
    job: 'alarms',
    table: 'alarm_notice',
    poisoned: `r.name = 'parked-deliveries'`,
    left: `SELECT count(*)::int FROM (VALUES ('parked-deliveries'), ('late-deliveries')) a (name)
      WHERE NOT EXISTS (SELECT FROM alarm_notice n WHERE n.name = a.name AND n.looked_at > '-infinity')`,
  },
  {
    job: 'reconciliation',
    // A day is due by any of its rows.
    table: 'daily_close_due',
    insert: `INSERT INTO daily_close_due (day) SELECT current_date - 2 - n::int FROM made`,
    poisoned: 'r.day = (SELECT min(day) FROM daily_close_due)',
    left: `SELECT count(DISTINCT day)::int FROM daily_close_due WHERE day < current_date - 1`,
  },
  ...GROWING.flatMap(({ tables, job }) =>
    job === null
      ? []
      : tables.flatMap((table): PoisonedLoop[] => {
          const old = table === 'daily_close_due' ? undefined : OLD_ROWS[table]
          return old
            ? [{ job, table, isDue: old.isTooOld, insert: old.insert, among: old.among ?? 'true' }]
            : []
        }),
  ),
  // Behind the rows of missing deliveries, one of each comparison.
  {
    job: 'comparison with the game',
    table: 'game_comparison',
    insert: `INSERT INTO game_comparison (since, until) SELECT now() - interval '1 day', now() FROM made WHERE n = 1`,
    isDue: `state = 'running'`,
  },
]

/** Those whose rows are poisoned in a test of their own, which names what it found in `failed_work`. */
export const POISONED_ELSEWHERE: Readonly<Record<string, string>> = {
  bonuses: 'src/server/modules/promotions/unpaid.db.test.ts',
  'gift-codes': 'src/server/modules/gift-codes/redeeming.db.test.ts',
  invitations: 'src/server/modules/invitations/invitations.db.test.ts',
  'planned prices': 'src/server/modules/planned-prices/planned-prices.db.test.ts',
  'recharge expiry': 'src/server/modules/recharge/recharge.db.test.ts',
  'recharge sweeper': 'src/server/modules/bank-inbox/intake/settlement-once.db.test.ts',
}

/** Loops that do one thing and no rows: when it fails, the loop fails as a whole (`due-rows.db.test.ts`). */
export const WITHOUT_ROWS: readonly string[] = [
  'certificates',
  'checks of the books',
  'codes by SMS, figures',
  'daily seal of the audit trail',
  'delivery watch',
  'description of the game',
  'failing loops',
  'figures of the metrics',
  'whether the game keeps accounts',
]
