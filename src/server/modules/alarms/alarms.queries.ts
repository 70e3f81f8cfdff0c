import { sql, type RawBuilder } from 'kysely'
import { ALARM_COUNT_MAX, WAITING_COUNT_MAX, type AlarmName } from '#contract/operator/alarms.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue, isPast } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { CLIENT_ERROR_TIMES_MIN, DELAY_SECONDS_MAX, LATE_SECONDS, type LastMessage } from './alarms.rules.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'
import { FAILED_WORK_ID } from './failed-work.queries.ts'

/** Alarms that count rows of the database; the other depends on the environment. */
export type RowAlarm = Exclude<AlarmName, 'one-person'>

type Rows = {
  /** FROM and WHERE, for the kinds of proposals somebody decides: served by an index in the order of `order`, so that only what is counted is read. */
  from: RawBuilder<unknown> | ((proposalKinds: readonly string[]) => RawBuilder<unknown>)
  order: RawBuilder<unknown>
  /** The moment since when each waits; `order` when left out. */
  since?: RawBuilder<unknown>
  /** Whether it is late, where no time of waiting decides (`LATE_SECONDS`). */
  isLate?: RawBuilder<unknown>
  amount?: RawBuilder<unknown>
  id?: RawBuilder<unknown>
}

const createdAt = sql`created_at`
const amount = sql`amount`
/** When the day of a close was over, in Vietnam. */
const dayOver = sql`(day + 1)::timestamp AT TIME ZONE 'Asia/Ho_Chi_Minh'`

/** Cases in which the player waits, since the first message that nobody has answered. */
const waitingCases = (which: RawBuilder<unknown>): Rows => ({
  from: sql`FROM help_case c CROSS JOIN LATERAL (
        SELECT coalesce(min(m.created_at), c.last_message_at) AS since FROM help_message m
         WHERE m.case_id = c.id AND NOT m.is_staff AND m.id > coalesce(
           (SELECT max(s.id) FROM help_message s WHERE s.case_id = c.id AND s.is_staff), 0)) waiting
      WHERE c.state = 'open' AND ${which}`,
  order: sql`c.id`,
  since: sql`since`,
  id: sql`c.id`,
})

const ROWS: Record<RowAlarm, Rows> = {
  'audit-chain-broken': {
    from: sql`FROM stored_check, generate_series(1, least(faults, ${ALARM_COUNT_MAX})) WHERE name = 'audit-chain'`,
    order: sql`checked_at`,
    id: sql`name`,
  },
  'ledger-broken': {
    from: sql`FROM (SELECT id, found, finished_at FROM reconciliation_run
        WHERE found IS NOT NULL ORDER BY id DESC LIMIT 1) AS last, generate_series(1, least(found, ${ALARM_COUNT_MAX}))`,
    order: sql`finished_at`,
  },
  'red-closes': {
    from: sql`FROM daily_close WHERE outcome = 'red' AND is_latest`,
    order: sql`day`,
    since: dayOver,
  },
  'unread-payment-events': {
    from: sql`FROM payment_event WHERE status = 'new' AND ${isPast(sql`received_at`, 600)}`,
    order: sql`received_at`,
    amount,
  },
  // As the list of payment events has them, and its index. For EXISTS PostgreSQL might hash all events ever stored.
  'open-payment-events': {
    from: sql`FROM payment_event event
      WHERE (status = 'stale' OR (status = 'review' AND (bank_transaction_id IS NULL OR reason = 'reference-conflict')))
        AND (status <> 'stale' OR (
          SELECT true FROM payment_event fresh WHERE fresh.provider = event.provider AND fresh.status <> 'stale'
             AND fresh.provider_event_id = regexp_replace(event.provider_event_id, '#stale$', '') LIMIT 1) IS NULL)`,
    order: sql`id`,
    since: sql`received_at`,
    amount,
  },
  'unmatched-transfers': {
    from: sql`FROM bank_transaction WHERE state = 'review'`,
    order: createdAt,
    amount: sql`CASE WHEN direction = 'in' THEN amount END`,
  },
  'parked-deliveries': { from: sql`FROM delivery WHERE state = 'parked'`, order: createdAt, amount },
  'late-deliveries': {
    from: sql`FROM delivery WHERE state NOT IN ('delivered', 'refunded') AND state <> 'parked'
        AND ${isPast(createdAt, 300)}`,
    order: createdAt,
    amount,
  },
  // While the game says so: what collects in it has given no sign of life for two minutes, and goods wait for it.
  'collector-silent': {
    from: sql`FROM delivery_collection WHERE collected_at IS NULL AND EXISTS (
        SELECT FROM game_description WHERE id AND tells_collection AND description IS NOT NULL
           AND ${isPast(sql`coalesce(collector_seen_at, '-infinity')`, 120)})`,
    order: sql`bought_at`,
    id: sql`delivery_id`,
    amount: sql`(SELECT delivery.amount FROM delivery WHERE delivery.id = delivery_id)`,
  },
  // Running batches of codes, milestones and check-in days whose goods the game would refuse, by what it said last.
  'untakable-goods': {
    from: sql`FROM (
        SELECT id, started_at AS since, goods FROM gift_code_batch
         WHERE state = 'running' AND ends_at > now() AND goods IS NOT NULL
        UNION ALL
        SELECT p.id, p.started_at, s.goods FROM milestone_program p JOIN milestone_step s ON s.program_id = p.id
         WHERE p.state = 'running' AND p.claims_until > now()
        UNION ALL
        SELECT 0, calendar.updated_at, day.goods FROM settings calendar
          JOIN settings shown ON shown.key = 'check_in_enabled' AND shown.value = '1'
         CROSS JOIN LATERAL jsonb_array_elements(nullif(calendar.value, '')::jsonb) AS day (goods)
         WHERE calendar.key = 'check_in_goods') promised
      WHERE EXISTS (
        SELECT FROM game_description game CROSS JOIN LATERAL jsonb_array_elements(promised.goods) good
         WHERE game.description ? 'items' AND game.description ? 'max' AND CASE good ->> 'kind'
           WHEN 'item' THEN NOT EXISTS (
             SELECT FROM jsonb_array_elements(game.description -> 'items') item
              WHERE item ->> 'code' = good ->> 'code'
                AND (item ->> 'max')::bigint >= (good ->> 'quantity')::bigint)
           ELSE (good ->> 'quantity')::bigint > (game.description -> 'max' ->> (good ->> 'kind'))::bigint END)`,
    order: sql`since`,
  },
  // A portal without a real game does not ask; what it asked before is old.
  'game-accounts-unknown': {
    from: sql`FROM game_accounts WHERE id AND failing_since IS NOT NULL AND asked_at > now() - interval '10 minutes'`,
    order: sql`failing_since`,
  },
  // A game that says that it keeps no accounts gets none; one that said so within a week after it had kept them is no usual one.
  'unsent-account-changes': {
    from: sql`FROM account_change WHERE next_attempt_at IS NOT NULL AND ${isPast(sql`changed_at`, 120)} AND EXISTS (
        SELECT FROM game_accounts WHERE id AND asked_at > now() - interval '10 minutes'
           AND (are_kept IS NOT FALSE OR kept_at > now() - interval '7 days'))`,
    order: sql`changed_at`,
    id: sql`user_id`,
  },
  'failed-work': {
    from: sql`FROM failed_work`,
    order: sql`failing_since`,
    id: FAILED_WORK_ID,
  },
  // What a release raised, and browsers still meet. That lazy code does not arrive is mostly the network's.
  'client-errors': {
    from: sql`FROM client_error WHERE is_new AND handled_at IS NULL AND kind <> 'code'
        AND times >= ${CLIENT_ERROR_TIMES_MIN}::integer AND last_seen > now() - interval '1 day'`,
    order: sql`first_seen`,
  },
  // A row of each that was ever run by its timer: one that failed, or that is late by two hours of a day or two days of a month.
  'missing-backups': {
    from: sql`FROM backup_run WHERE failing_since IS NOT NULL OR succeeded_at < now() -
        CASE kind WHEN 'backup' THEN interval '26 hours' ELSE interval '33 days' END`,
    order: sql`coalesce(failing_since, succeeded_at)`,
    id: sql`kind`,
  },
  // Until the money went another way: by another refund, or to a player after all.
  'failed-refunds': {
    from: sql`FROM gateway_refund refund WHERE state = 'failed'
        AND EXISTS (SELECT FROM bank_transaction b WHERE b.id = refund.bank_transaction_id AND b.state = 'review')
        AND NOT EXISTS (SELECT FROM gateway_refund later
             WHERE later.bank_transaction_id = refund.bank_transaction_id AND later.id > refund.id)`,
    order: sql`asked_at`,
    amount,
  },
  'waiting-refunds': {
    from: sql`FROM gateway_refund WHERE next_query_at IS NOT NULL AND ${isPast(sql`asked_at`, 3_600)}`,
    order: sql`asked_at`,
    amount,
  },
  // A claim waits as its case does.
  'waiting-claims': {
    ...waitingCases(sql`c.about_kind = 'claim'`),
    amount: sql`(SELECT q.amount FROM recharge_claim q WHERE q.id = c.about_id::bigint)`,
  },
  'waiting-cases': waitingCases(sql`c.about_kind <> 'claim'`),
  'waiting-credits': {
    from: sql`FROM proposal WHERE state = 'waiting' AND kind = 'bank-transfer'`,
    order: sql`proposed_at`,
    amount: sql`(payload->>'coins')::bigint`,
  },
  'waiting-proposals': {
    from: (kinds) =>
      sql`FROM proposal WHERE state = 'waiting' AND kind <> 'bank-transfer' AND kind = ANY(${kinds})`,
    order: sql`proposed_at`,
  },
  // From the noon behind the day on: by then its bank's list should have been read. Lists reach a month back; what is older
  // waits for nothing. A day without money has nothing to compare.
  'uncompared-closes': {
    from: sql`FROM daily_close WHERE outcome = 'not-compared' AND NOT is_empty AND is_latest
        AND day < vietnam_day(now() - interval '12 hours') AND day >= vietnam_day(now() - interval '31 days')`,
    order: sql`day`,
    since: dayOver,
    amount: sql`arrived_vnd`,
  },
  'due-deletions': {
    from: sql`FROM deletion_request WHERE state IN ('waiting', 'approved')
        AND (state = 'waiting' OR due_at < now() + interval '3 days')`,
    order: sql`due_at`,
    since: sql`asked_at`,
    isLate: sql`due_at < now() + interval '3 days'`,
  },
  'failed-mails': { from: sql`FROM mail_outbox WHERE last_error IS NOT NULL`, order: createdAt },
}

function isLateSince(name: RowAlarm, since: RawBuilder<unknown>): RawBuilder<unknown> {
  const seconds = LATE_SECONDS[name]
  return seconds === undefined ? sql`true` : isPast(since, seconds)
}

type WaitingQuery = { names: readonly RowAlarm[]; proposalKinds: readonly string[] }

/** The first rows of each, one way or the other, as one set. */
function unionOf(
  { names, proposalKinds }: WaitingQuery,
  { direction, most }: { direction: 'ASC' | 'DESC'; most: number },
) {
  const parts = names.map((name) => {
    const {
      from,
      order,
      since = order,
      isLate = isLateSince(name, since),
      amount: sum = sql`NULL`,
      id = sql`id`,
    } = ROWS[name]
    return sql`(SELECT ${sql.lit(name)} AS name, (${id})::text AS id, ${since} AS since, ${isLate} AS is_late, (${sum})::bigint AS amount
      ${typeof from === 'function' ? from(proposalKinds) : from} ORDER BY ${order} ${sql.raw(direction)} LIMIT ${most})`
  })
  return sql.join(parts, sql` UNION ALL `)
}

export type CountedAlarm = {
  name: RowAlarm
  count: number
  late: number
  oldest: Date | null
  amount: string | null
}

/** What waits, of these names, by one statement; the names of which nothing waits are not in the answer. */
export async function countAlarms(db: Db, query: WaitingQuery): Promise<CountedAlarm[]> {
  if (query.names.length === 0) return []
  const { rows } = await sql<CountedAlarm>`
    SELECT name, count(*)::integer AS count, (count(*) FILTER (WHERE is_late))::integer AS late, min(since) AS oldest,
           sum(amount)::text AS amount
      FROM (${unionOf(query, { direction: 'ASC', most: ALARM_COUNT_MAX })}) AS waiting GROUP BY name`.execute(
    db,
  )
  return rows
}

type CountedWaiting = { name: RowAlarm; count: number; newest: string | null }

/** The same for the menu: how many, and which came last. */
export async function countWaiting(db: Db, query: WaitingQuery): Promise<CountedWaiting[]> {
  if (query.names.length === 0) return []
  const { rows } = await sql<CountedWaiting>`
    SELECT name, count(*)::integer AS count, (array_agg(id ORDER BY since DESC, id DESC))[1] AS newest
      FROM (${unionOf(query, { direction: 'DESC', most: WAITING_COUNT_MAX })}) AS waiting GROUP BY name`.execute(
    db,
  )
  return rows
}

export type Notice = { name: string; last: LastMessage | null }

/** Alarms that nobody has looked at for so long. */
export async function listUnnoticed(
  db: Db,
  isResting: IsResting,
  { names, everySeconds }: { names: readonly string[]; everySeconds: number },
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT alarm.name FROM unnest(${[...names]}::text[]) AS alarm (name)
     WHERE NOT ${isResting(sql`alarm.name`)} AND NOT EXISTS (
       SELECT FROM alarm_notice n
        WHERE n.name = alarm.name AND NOT ${isPast(sql`n.looked_at`, everySeconds)})
     ORDER BY alarm.name`.execute(db)
  return rows.map(({ name }) => name)
}

/** What was sent last about an alarm, locked; undefined when another process looks at it, or has. */
export async function lockNotice(tx: Tx, name: string, everySeconds: number): Promise<Notice | undefined> {
  await sql`INSERT INTO alarm_notice (name) VALUES (${name}) ON CONFLICT DO NOTHING`.execute(tx)
  const { rows } = await sql<{ began_at: Date | null; told_count: number | null; told_at: Date | null }>`
    SELECT began_at, told_count, told_at FROM alarm_notice
     WHERE name = ${name} AND ${isPast(sql`looked_at`, everySeconds)}
       FOR UPDATE SKIP LOCKED`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  await sql`UPDATE alarm_notice SET looked_at = now() WHERE name = ${name}`.execute(tx)
  const { began_at: beganAt, told_count: count, told_at: sentAt } = row
  const isTold = beganAt !== null && count !== null && sentAt !== null
  return { name, last: isTold ? { beganAt, count, sentAt } : null }
}

/** Stores what was sent last about an alarm, and its message, which replaces one that still waits. */
export async function storeNotice(
  tx: Tx,
  name: string,
  { last, message }: { last: LastMessage | null; message: object },
): Promise<void> {
  await tx
    .updateTable('alarm_notice')
    .set({
      began_at: last?.beganAt ?? null,
      told_count: last?.count ?? null,
      told_at: last?.sentAt ?? null,
      message_id: sql<string>`gen_random_uuid()`,
      message: JSON.stringify(message),
      attempt: 0,
      next_attempt_at: sql<Date>`now()`,
      lease_until: null,
    })
    .where('name', '=', name)
    .execute()
}

export type DueMessage = { name: string; id: string; message: object; attempt: number }

const isMessageDue = (leaseSeconds: number) =>
  sql<boolean>`message IS NOT NULL AND ${isDue(sql`next_attempt_at`, DELAY_SECONDS_MAX)}
     AND (lease_until IS NULL OR ${isDue(sql`lease_until`, leaseSeconds)})`

/** Alarms whose message is due. */
export async function listDueMessages(
  db: Db,
  isResting: IsResting,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM alarm_notice WHERE ${isMessageDue(leaseSeconds)} AND NOT ${isResting(sql`alarm_notice.name`)}
     ORDER BY next_attempt_at LIMIT ${limit}`.execute(db)
  return rows.map(({ name }) => name)
}

/** Leases the message of an alarm, so that no other worker sends it meanwhile. */
export async function claimMessage(
  db: Db,
  name: string,
  leaseSeconds: number,
): Promise<DueMessage | undefined> {
  const { rows } = await sql<DueMessage>`
    UPDATE alarm_notice
       SET attempt = attempt + 1, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
     WHERE name = ${name} AND ${isMessageDue(leaseSeconds)}
    RETURNING name, message_id AS id, message, attempt`.execute(db)
  return rows[0]
}

/** Ends a message that was taken or is given up, unless a newer one has replaced it. */
export async function dropMessage(db: Db, { name, id }: DueMessage): Promise<void> {
  await db
    .updateTable('alarm_notice')
    .set({ message_id: null, message: null, lease_until: null })
    .where('name', '=', name)
    .where('message_id', '=', id)
    .execute()
}

export async function postponeMessage(db: Db, { name, id }: DueMessage, seconds: number): Promise<void> {
  await db
    .updateTable('alarm_notice')
    .set({
      lease_until: null,
      next_attempt_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`,
    })
    .where('name', '=', name)
    .where('message_id', '=', id)
    .execute()
}
