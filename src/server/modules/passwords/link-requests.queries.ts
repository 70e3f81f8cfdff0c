import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export async function insertRequest(db: Db, sealed: Buffer): Promise<void> {
  await db.insertInto('password_request').values({ sealed }).execute()
}

export type LinkRequest = { id: string; sealed: Buffer; ageSeconds: number }

/** Leases the request that is due the longest; when the lease runs out, another worker may take it. */
export async function claimRequest(db: Db, leaseSeconds: number): Promise<LinkRequest | undefined> {
  const { rows } = await sql<LinkRequest>`
    UPDATE password_request SET next_attempt_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
     WHERE id = (
       SELECT id FROM password_request WHERE next_attempt_at <= now()
        ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, sealed, extract(epoch FROM now() - created_at)::float8 AS "ageSeconds"`.execute(db)
  return rows[0]
}

/** False when somebody else has answered it. */
export async function deleteRequest(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('password_request').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}
