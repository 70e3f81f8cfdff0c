import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** Any constant does; it only has to be the same in every portal process. */
const SEEDING_LOCK = 7_346_522_002

/** Processes that start together take turns, however long a part takes; held until the transaction ends. */
export async function lockSeeding(tx: Tx): Promise<void> {
  await sql`SELECT set_config('lock_timeout', '60s', true), set_config('statement_timeout', '60s', true)`.execute(
    tx,
  )
  await sql`SELECT pg_advisory_xact_lock(${SEEDING_LOCK})`.execute(tx)
}

/** The parts of the demo data that were made already, from the audit trail, whose rows stay for ever. */
export async function listMadeParts(db: Db | Tx, subjectType: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select('subject_id')
    .where('subject_type', '=', subjectType)
    .execute()
  return rows.map((row) => row.subject_id)
}
