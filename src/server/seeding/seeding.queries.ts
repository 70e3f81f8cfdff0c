import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { ADVISORY_LOCKS } from '#server/platform/db/advisory-lock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

const LOCK_POLL_MS = 100

/** Processes that start together take turns, however long a part takes; held until the transaction ends. */
export async function lockSeeding(tx: Tx): Promise<void> {
  await sql`SELECT set_config('lock_timeout', '60s', true), set_config('statement_timeout', '60s', true)`.execute(
    tx,
  )
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.seeding})`.execute(tx)
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

/** For what is made in several transactions: one process at a time, the others wait. */
export async function onlyOneAtATime(db: Db, work: () => Promise<void>): Promise<void> {
  await db.connection().execute(async (connection) => {
    const key = ADVISORY_LOCKS.demoTournaments
    for (;;) {
      const { rows } = await sql<{ taken: boolean }>`SELECT pg_try_advisory_lock(${key}) AS taken`.execute(
        connection,
      )
      if (rows[0]?.taken === true) break
      await setTimeout(LOCK_POLL_MS)
    }
    try {
      await work()
    } finally {
      await sql`SELECT pg_advisory_unlock(${key})`.execute(connection)
    }
  })
}
