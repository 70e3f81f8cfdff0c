import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db } from '#server/platform/db/database.ts'

/**
 * In a database restored from a backup: what was open may have been sent, applied or cancelled since, so the worker has
 * to ask the game before it sends anything. Part of the restore's own transaction, as the owner.
 */
export async function askAboutOpenDeliveries(client: Client): Promise<void> {
  await client.query(
    `UPDATE delivery
        SET state = 'unknown', lease_token = NULL, lease_until = NULL, next_attempt_at = now(),
            last_error = 'restored from a backup'
      WHERE state IN ('pending', 'sending', 'unknown')`,
  )
}

/** How many deliveries are neither delivered nor refunded, and how many TCoin were paid for them. */
export async function sumOpenDeliveries(db: Db): Promise<{ count: number; amount: number }> {
  const { rows } = await sql<{ count: string; amount: string }>`
    SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount FROM delivery
     WHERE state NOT IN ('delivered', 'refunded')`.execute(db)
  return { count: Number(rows[0]?.count), amount: Number(rows[0]?.amount) }
}
