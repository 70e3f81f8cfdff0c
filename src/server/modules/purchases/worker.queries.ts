import { sql, type RawBuilder } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import type { DeliveryAttempt } from '#contract/operator/deliveries.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue as isLeaseOver, isTooFarAhead } from '#server/platform/db/due.ts'
import { notify } from '#server/domain/notices.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import { heldColumns, requestOfPurchase, toHeld, type HeldDelivery } from './deliveries.queries.ts'
import { DELAY_SECONDS_MAX, type NextStep } from './deliveries.rules.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { DuePart } from '#server/platform/queues/claiming.ts'

/** The right to send one delivery, and to write down what came of it, until the lease ends. */
export type Claimed = {
  id: string
  userId: string
  /** Of the request by which it was bought. */
  requestId: string | null
  leaseToken: string
  serverId: string
  account: string
  characterId: string
  goods: Good[]
  /** The delivery whose goods it gives again. */
  replaces: string | null
  attempt: number
  ageSeconds: number
  /** An earlier attempt may have arrived. */
  wasUnknown: boolean
}

/** More are looked at than may be taken, since some are behind others. */
const lookedAt = (limit: number) => 2 * limit + 4

/**
 * Leases up to `limit` due deliveries, the longest due first, skipping what another worker is just taking. Of each
 * character only the oldest open delivery is eligible, so that goods arrive in the order they were bought; one that
 * waits for an operator holds nobody up. Leases run by the database's clock.
 *
 * What is found behind an earlier one is set aside until `wakeNext` of that one, so that no claim reads it again. The
 * earlier one is locked meanwhile: it cannot end in between. `setAside` is how many there were.
 */
export async function claimDueDeliveries(
  db: Db | Tx,
  { limit, isWanted }: DuePart,
  leaseSeconds: number,
): Promise<{ claimed: Claimed[]; setAside: number }> {
  const { rows } = await sql<Claimed & { setAside: string }>`
    WITH candidate AS MATERIALIZED (
      SELECT d.id, d.next_attempt_at, (
          SELECT earlier.id FROM delivery earlier
           WHERE earlier.server_id = d.server_id AND earlier.character_id = d.character_id
             AND ${isInLine('earlier')}
             AND (earlier.created_at, earlier.id) < (d.created_at, d.id)
           ORDER BY earlier.created_at DESC, earlier.id DESC
           LIMIT 1) AS behind
        FROM delivery d
       WHERE ${isDue('d')} AND d.waits_behind IS NULL AND ${isWanted(sql`d.id`)}
       ORDER BY d.next_attempt_at
       LIMIT ${lookedAt(limit)}),
    blocked AS (
      SELECT d.id, candidate.behind
        FROM candidate
        JOIN delivery d ON d.id = candidate.id AND ${byIdOnly(sql`${isDue('d')} AND d.waits_behind IS NULL`)}
        JOIN delivery earlier ON earlier.id = candidate.behind AND ${byIdOnly(isInLine('earlier'))}
         FOR UPDATE OF d SKIP LOCKED
         FOR SHARE OF earlier SKIP LOCKED),
    aside AS (
      UPDATE delivery SET waits_behind = found.behind
        -- In an order, so that all are locked before the first is changed: a changed one cannot be locked for the next.
        FROM (SELECT id, behind FROM blocked ORDER BY id) found
       WHERE delivery.id = found.id
      RETURNING delivery.id),
    due AS (
      SELECT d.id, d.state
        FROM candidate JOIN delivery d ON d.id = candidate.id
       WHERE candidate.behind IS NULL AND ${byIdOnly(isDue('d'))}
       ORDER BY candidate.next_attempt_at
       LIMIT ${limit}
       FOR UPDATE OF d SKIP LOCKED),
    claimed AS (
      UPDATE delivery
         SET state = 'sending', attempt = attempt + 1, lease_token = gen_random_uuid(), waits_behind = NULL,
             lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        FROM due
       WHERE delivery.id = due.id
      RETURNING delivery.id, user_id AS "userId", ${requestOfPurchase} AS "requestId", lease_token AS "leaseToken",
        server_id AS "serverId", account, character_id AS "characterId", goods, replaces, attempt,
        extract(epoch FROM now() - created_at)::float8 AS "ageSeconds", due.state = 'unknown' AS "wasUnknown")
    SELECT id, "userId", "requestId", "leaseToken", "serverId", account, "characterId", goods, replaces, attempt,
           "ageSeconds", "wasUnknown", found."setAside"
      FROM (SELECT count(*) AS "setAside" FROM aside) found LEFT JOIN claimed ON true`.execute(db)
  // One row without a delivery when none was claimed.
  return { claimed: rows.filter(({ id }) => id !== null), setAside: Number(rows[0]?.setAside) }
}

/** What a claim looks at. */
export const dueDeliveries = ({ limit, isWanted }: DuePart) => sql<{ id: string }>`
  SELECT d.id FROM delivery d WHERE ${isDue('d')} AND d.waits_behind IS NULL AND ${isWanted(sql`d.id`)}
   ORDER BY d.next_attempt_at LIMIT ${lookedAt(limit)}`

/** Whether it holds up what was bought later for the same character. The condition of the index. */
const isInLine = (delivery: string) =>
  sql<boolean>`${sql.ref(`${delivery}.settled_at`)} IS NULL AND ${sql.ref(`${delivery}.state`)} <> 'parked'`

const isDue = (delivery: string) =>
  sql<boolean>`${sql.ref(`${delivery}.state`)} IN ('pending', 'unknown') AND ${sql.ref(`${delivery}.next_attempt_at`)} <= now()`

/** A condition on a row found by its id, hidden from PostgreSQL: a plan of an empty table would read a whole index for it. */
const byIdOnly = (condition: RawBuilder<unknown>) => sql<boolean>`CASE WHEN ${condition} THEN true END`

/**
 * What waits behind this delivery may be claimed again, once the transaction that ended or parked it is committed. After
 * the statement that did so, and before any ledger account is locked; goes with the next statement.
 */
export async function wakeNext(tx: Tx, id: string): Promise<void> {
  const waiting = tx
    .updateTable('delivery')
    .set({ waits_behind: null })
    .where('waits_behind', '=', id)
    .where('state', 'in', ['pending', 'unknown'])
  await sendWithNext(tx, waiting.compile())
}

/** What waits behind nothing any more and was not woken: there is none, unless an older program ended what it waits for. */
export const wakeForgotten = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'deliveries behind others',
    table: 'delivery',
    isDue: sql`due.waits_behind IS NOT NULL AND due.state IN ('pending', 'unknown')
      AND NOT EXISTS (SELECT FROM delivery earlier WHERE earlier.id = due.waits_behind AND ${isInLine('earlier')})`,
    set: sql`waits_behind = NULL`,
  })

/** Leases that ran out: their workers died or hang, and what they sent may have arrived. */
export const endExpiredLeases = (deps: { db: Db; log: Log }, leaseSeconds: number): Promise<boolean> =>
  sweep(deps, {
    job: 'delivery leases',
    table: 'delivery',
    isDue: sql`due.state = 'sending' AND ${isLeaseOver(sql`due.lease_until`, leaseSeconds)}`,
    set: sql`state = 'unknown', lease_token = NULL, lease_until = NULL, next_attempt_at = now(),
      last_error = 'the lease ran out'`,
    skipsLocked: true,
  })

/** Of those that wait the claim reads none that are not due, however many there are: what sleeps is woken here. */
export const wakeSleeping = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'sleeping deliveries',
    table: 'delivery',
    isDue: sql`due.state IN ('pending', 'unknown') AND due.waits_behind IS NULL
      AND ${isTooFarAhead(sql`due.next_attempt_at`, DELAY_SECONDS_MAX)}`,
    set: sql`next_attempt_at = now()`,
    skipsLocked: true,
  })

/**
 * Writes the outcome of a claim, if the claim still holds: a worker that was thought dead changes nothing any more.
 * Undefined when it does not.
 */
export async function updateClaimed(
  tx: Tx,
  claim: Pick<Claimed, 'id' | 'leaseToken'>,
  step: NextStep,
): Promise<HeldDelivery | undefined> {
  const isFinal = step.state === 'delivered' || step.state === 'refunded'
  const row = await tx
    .updateTable('delivery')
    .set({
      state: step.state,
      lease_token: null,
      lease_until: null,
      last_error: 'note' in step ? step.note : null,
      ...('delaySeconds' in step
        ? { next_attempt_at: sql<Date>`clock_timestamp() + make_interval(secs => ${step.delaySeconds})` }
        : {}),
      ...(isFinal ? { settled_at: sql<Date>`clock_timestamp()` } : {}),
    })
    .where('id', '=', claim.id)
    // Only what is being sent has a lease.
    .where('lease_token', '=', claim.leaseToken)
    .returning(heldColumns)
    .executeTakeFirst()
  if (row !== undefined && step.state === 'parked') notify(tx, 'operator_event', 'deliveries')
  return row && toHeld(row)
}

/** How long the oldest delivery that is still tried has been waiting, if there is one, and how many are parked. */
export async function summariseOpen(db: Db): Promise<{ seconds: number | null; parked: number }> {
  const { rows } = await sql<{ seconds: number | null; parked: number }>`
    SELECT extract(epoch FROM now() - min(created_at) FILTER (WHERE state <> 'parked'))::float8 AS seconds,
           (count(*) FILTER (WHERE state = 'parked'))::integer AS parked
      FROM delivery WHERE state NOT IN ('delivered', 'refunded')`.execute(db)
  return rows[0] ?? { seconds: null, parked: 0 }
}

export async function countOpenByState(db: Db) {
  return (
    db
      .selectFrom('delivery')
      .select(['state', sql<number>`count(*)::integer`.as('count')])
      .select(sql<Date | null>`min(created_at) FILTER (WHERE state <> 'parked')`.as('oldest'))
      .$narrowType<{ state: 'pending' | 'sending' | 'unknown' | 'parked' }>()
      // The condition of the index.
      .where(sql<boolean>`state NOT IN ('delivered', 'refunded')`)
      .groupBy('state')
      .execute()
  )
}

export type NewAttempt = Pick<DeliveryAttempt, 'asked' | 'answer' | 'note' | 'took_ms'> & { asked_at: Date }

const STORED_PER_DELIVERY = 200

/** Adds attempts about one delivery and deletes all but its latest 200. One statement. */
export async function insertAttempts(
  db: Db,
  attempts: readonly NewAttempt[],
  { deliveryId, operatorId }: { deliveryId: string; operatorId: string | null },
): Promise<void> {
  const ids = { delivery_id: deliveryId, operator_id: operatorId }
  await db
    .with('old', (query) =>
      query
        .deleteFrom('delivery_attempt')
        .where('delivery_id', '=', deliveryId)
        .where(
          sql<boolean>`id <= (SELECT id FROM delivery_attempt WHERE delivery_id = ${deliveryId}::uuid
           ORDER BY id DESC OFFSET ${STORED_PER_DELIVERY - attempts.length} LIMIT 1)`,
        ),
    )
    .insertInto('delivery_attempt')
    .values(attempts.map((attempt) => ({ ...ids, ...attempt })))
    .execute()
}

/** The newest first. */
export async function listAttempts(db: Db, deliveryId: string): Promise<DeliveryAttempt[]> {
  const rows = await db
    .selectFrom('delivery_attempt as attempt')
    .leftJoin('users', 'users.id', 'attempt.operator_id')
    .selectAll('attempt')
    .select('users.username')
    .$narrowType<Pick<DeliveryAttempt, 'asked' | 'answer'>>()
    .where('attempt.delivery_id', '=', deliveryId)
    .orderBy('attempt.id', 'desc')
    .limit(STORED_PER_DELIVERY)
    .execute()
  return rows.map(({ operator_id: id, username, ...row }) => ({
    ...row,
    operator: id === null ? null : { id, username: username ?? '' },
    asked_at: row.asked_at.toISOString(),
  }))
}

/** Whether the game answered the worker's latest attempts, the newest first. A status alone ends no attempt. */
export async function listLatestAnswered(db: Db, limit: number): Promise<boolean[]> {
  const rows = await db
    .selectFrom('delivery_attempt')
    .select(sql<boolean>`answer NOT IN ('not-received', 'unknown')`.as('is_answered'))
    .where('operator_id', 'is', null)
    .where('answer', '<>', 'not-applied')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ is_answered }) => is_answered)
}

export async function findLastAnsweredAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('delivery_attempt')
    .select('asked_at')
    // The condition of the index.
    .where(sql<boolean>`answer NOT IN ('not-received', 'unknown')`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.asked_at ?? null
}

/** Erases one batch of attempts older than that; true when there may be more. */
export const removeOldAttempts = (deps: { db: Db; log: Log }, days: number): Promise<boolean> =>
  sweep(deps, {
    job: 'old delivery attempts',
    table: 'delivery_attempt',
    isDue: sql`due.asked_at < now() - make_interval(days => ${days}::integer)`,
    order: sql`due.asked_at`,
  })
