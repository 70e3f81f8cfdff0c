import { sql } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notify } from '#server/platform/db/notices.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { heldColumns, requestOfPurchase, toHeld, type HeldDelivery } from './deliveries.queries.ts'
import type { NextStep } from './deliveries.rules.ts'

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
  attempt: number
  ageSeconds: number
  /** An earlier attempt may have arrived. */
  wasUnknown: boolean
}

/**
 * Leases up to `limit` due deliveries, the longest due first, skipping what another worker is just taking. Of each
 * character only the oldest open delivery is eligible, so that goods arrive in the order they were bought; one that
 * waits for an operator holds nobody up. Leases run by the database's clock.
 */
export async function claimDueDeliveries(
  db: Db | Tx,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    WITH due AS (
      SELECT d.id, d.state FROM delivery d
       WHERE d.state IN ('pending', 'unknown') AND d.next_attempt_at <= now()
         AND NOT EXISTS (
           SELECT FROM delivery earlier
            WHERE earlier.server_id = d.server_id AND earlier.character_id = d.character_id
              AND earlier.state NOT IN ('delivered', 'refunded') AND earlier.state <> 'parked'
              AND (earlier.created_at, earlier.id) < (d.created_at, d.id))
       ORDER BY d.next_attempt_at
       LIMIT ${limit}
       FOR UPDATE OF d SKIP LOCKED)
    UPDATE delivery
       SET state = 'sending', attempt = attempt + 1, lease_token = gen_random_uuid(),
           lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM due
     WHERE delivery.id = due.id
    RETURNING delivery.id, user_id AS "userId", ${requestOfPurchase} AS "requestId", lease_token AS "leaseToken",
      server_id AS "serverId", account, character_id AS "characterId", goods, attempt,
      extract(epoch FROM now() - created_at)::float8 AS "ageSeconds", due.state = 'unknown' AS "wasUnknown"`.execute(
    db,
  )
  return rows
}

/** Leases that ran out: their workers died or hang, and what they sent may have arrived. */
export async function updateExpiredLeases(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE delivery
       SET state = 'unknown', lease_token = NULL, lease_until = NULL, next_attempt_at = now(),
           last_error = 'the lease ran out'
     WHERE id IN (SELECT id FROM delivery WHERE state = 'sending' AND lease_until < now()
                   FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

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
      // In the words of the index.
      .where(sql<boolean>`state NOT IN ('delivered', 'refunded')`)
      .groupBy('state')
      .execute()
  )
}
