import { sql } from 'kysely'
import type { Client } from 'pg'
import type { DeletionRequest } from '#contract/personal-data.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

const requests = (db: Db | Tx) =>
  db
    .selectFrom('deletion_request')
    .select(['id', 'state', 'asked_at', 'due_at', 'given_up', 'message', 'ended_at'])
    .$narrowType<Pick<DeletionRequest, 'state'>>()

type Row = Awaited<ReturnType<ReturnType<typeof requests>['executeTakeFirstOrThrow']>>

/** The row may have more columns, which stay as they are. */
export const toDeletionRequest = <Found extends Row>(row: Found) => ({
  ...row,
  asked_at: row.asked_at.toISOString(),
  due_at: row.due_at.toISOString(),
  given_up: parseCoins(row.given_up),
  ended_at: row.ended_at?.toISOString() ?? null,
})

export async function findLatestRequest(db: Db, userId: string): Promise<DeletionRequest | null> {
  const row = await requests(db)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toDeletionRequest(row)
}

/** The request that is open; of several, which the index forbids, any. */
export async function findOpenRequest(tx: Tx, userId: string): Promise<DeletionRequest | undefined> {
  const row = await requests(tx)
    .where('user_id', '=', userId)
    .where('state', 'in', ['waiting', 'approved'])
    .executeTakeFirst()
  return row && toDeletionRequest(row)
}

/** Under the player's lock, which keeps a second one from being open. */
export async function insertRequest(
  tx: Tx,
  { userId, days, givenUp }: { userId: string; days: number; givenUp: number },
): Promise<DeletionRequest> {
  const { id } = await tx
    .insertInto('deletion_request')
    .values({
      user_id: userId,
      due_at: sql<Date>`clock_timestamp() + make_interval(days => ${days}::integer)`,
      given_up: givenUp,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return toDeletionRequest(await requests(tx).where('id', '=', id).executeTakeFirstOrThrow())
}

/** Ends the request that is open, unless a worker or an operator has it in hand; null when there is none. */
export async function withdrawOpenRequest(tx: Tx, userId: string): Promise<DeletionRequest | null> {
  const { rows } = await sql<{ id: string }>`
    UPDATE deletion_request SET state = 'withdrawn', ended_at = clock_timestamp(), next_attempt_at = NULL
     WHERE id = (SELECT id FROM deletion_request
                  WHERE user_id = ${userId}::bigint AND state IN ('waiting', 'approved') FOR UPDATE SKIP LOCKED)
    RETURNING id`.execute(tx)
  const [withdrawn] = rows
  if (withdrawn === undefined) return null
  return toDeletionRequest(await requests(tx).where('id', '=', withdrawn.id).executeTakeFirstOrThrow())
}

/**
 * In a database restored from a backup: a request that was agreed to may have been withdrawn since, and an erasure cannot
 * be undone. An operator decides again. Part of the restore's own transaction, as the owner.
 */
export async function askAgainAboutDeletions(client: Client): Promise<void> {
  await client.query(
    `UPDATE deletion_request
        SET state = 'waiting', decided_at = NULL, decided_by = NULL, last_mail_id = NULL, next_attempt_at = NULL
      WHERE state = 'approved'`,
  )
}
