import type { Client } from 'pg'

/**
 * In a database restored from a backup: what was open may have been sent, applied or cancelled since, so the worker has
 * to ask the game before it sends anything. Part of the restore's own transaction, as the owner; answers how many.
 */
export async function askAboutOpenDeliveries(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE delivery
        SET state = 'unknown', lease_token = NULL, lease_until = NULL, next_attempt_at = now(),
            last_error = 'restored from a backup'
      WHERE state IN ('pending', 'sending', 'unknown')`,
  )
  return rowCount ?? 0
}
