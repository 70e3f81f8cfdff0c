import type { Client } from 'pg'

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
