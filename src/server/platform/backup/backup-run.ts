import { asOwner } from '../db/owner.ts'

/** What is run by the clock: a backup, and the restore of one into a database of its own. */
export type RunKind = 'backup' | 'restore-test'

const ERROR_LETTERS = 300

/** Stores how a run ended; null when it succeeded. */
export async function recordRun(ownerUrl: string, kind: RunKind, error: unknown): Promise<void> {
  const text =
    error === null ? null : (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LETTERS)
  await asOwner(ownerUrl, async (client) => {
    // The database of an older program is backed up as it is.
    const { rows } = await client.query<{ is_there: boolean }>(
      `SELECT to_regclass('backup_run') IS NOT NULL AS is_there`,
    )
    if (!rows[0]?.is_there) return
    await client.query(
      `INSERT INTO backup_run AS run (kind, succeeded_at, failing_since, error)
       VALUES ($1, CASE WHEN $2::text IS NULL THEN now() END, CASE WHEN $2::text IS NOT NULL THEN now() END, $2)
       ON CONFLICT (kind) DO UPDATE SET
         succeeded_at = coalesce(excluded.succeeded_at, run.succeeded_at), error = excluded.error,
         failing_since = CASE WHEN $2::text IS NOT NULL THEN coalesce(run.failing_since, now()) END`,
      [kind, text],
    )
  })
}
