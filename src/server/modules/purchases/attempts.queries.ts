import { sql } from 'kysely'
import type { DeliveryAttempt } from '#contract/operator/deliveries.ts'
import type { Db } from '#server/platform/db/database.ts'

export type NewAttempt = Pick<DeliveryAttempt, 'asked' | 'answer' | 'note' | 'took_ms'> & { asked_at: Date }

const KEPT_PER_DELIVERY = 200

/** Adds what was asked about one delivery, and lets go of all but its latest 200 attempts. One statement. */
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
           ORDER BY id DESC OFFSET ${KEPT_PER_DELIVERY - attempts.length} LIMIT 1)`,
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
    .limit(KEPT_PER_DELIVERY)
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
    // In the words of the index.
    .where(sql<boolean>`answer NOT IN ('not-received', 'unknown')`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.asked_at ?? null
}

/** Erases at most `limit` attempts older than that; returns how many. */
export async function deleteOldAttempts(
  db: Db,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM delivery_attempt WHERE id IN (
      SELECT id FROM delivery_attempt WHERE asked_at < now() - make_interval(days => ${days}::integer)
       ORDER BY asked_at LIMIT ${limit})`.execute(db)
  return Number(numAffectedRows)
}
