import { sql } from 'kysely'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { OpenMatters } from './open-matters.service.ts'

export type DueDeletion = { id: string; userId: string; givenUp: number; lastMailId: string | null }

/** The approved request that has been due the longest, locked; what another worker has in hand is passed over. */
export async function lockDueDeletion(tx: Tx): Promise<DueDeletion | undefined> {
  const row = await tx
    .selectFrom('deletion_request')
    .select(['id', 'user_id', 'given_up', 'last_mail_id'])
    .where('state', '=', 'approved')
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .orderBy('next_attempt_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      givenUp: parseCoins(row.given_up),
      lastMailId: row.last_mail_id,
    }
  )
}

export async function waitForMail(tx: Tx, id: string, seconds: number): Promise<void> {
  await tx
    .updateTable('deletion_request')
    .set({ next_attempt_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})` })
    .where('id', '=', id)
    .execute()
}

/** Back to the operators, unless the player has withdrawn it meanwhile; answers whether. */
export async function sendBack(
  tx: Tx,
  { id, matters }: { id: string; matters: OpenMatters },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('deletion_request')
    .set({
      state: 'waiting',
      hindered_by: JSON.stringify(matters),
      decided_at: null,
      decided_by: null,
      last_mail_id: null,
      next_attempt_at: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const FIRST_DELAY_SECONDS = 30
const DELAY_SECONDS_MAX = 3_600

/** Tries again after half a minute, then twice as long each time, at most an hour. */
export async function postponeDeletion(db: Db, id: string): Promise<void> {
  await sql`
    UPDATE deletion_request
       SET attempt = attempt + 1, next_attempt_at = clock_timestamp() + make_interval(
             secs => least(${DELAY_SECONDS_MAX}, ${FIRST_DELAY_SECONDS} * power(2, least(attempt, 20))))
     WHERE id = ${id}::bigint AND state = 'approved'`.execute(db)
}
