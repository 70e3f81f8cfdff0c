import { sql } from 'kysely'
import type { Reconciliation, ReconciliationRun } from '#contract/operator/daily-closes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isPast } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** Requests a run; undefined while another one is not finished. */
export async function insertRequestedRun(tx: Tx, askedBy: string): Promise<string | undefined> {
  const row = await tx
    .insertInto('reconciliation_run')
    .values({ origin: 'console', asked_by: askedBy })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

const DAY_SECONDS = 86_400

/** Requests the day's run when none was requested within a day. */
export async function insertDailyRun(db: Db): Promise<void> {
  await sql`
    INSERT INTO reconciliation_run (origin)
      SELECT 'daily' WHERE NOT EXISTS (
        SELECT FROM (SELECT asked_at FROM reconciliation_run ORDER BY id DESC LIMIT 1) newest
         WHERE NOT ${isPast(sql`asked_at`, DAY_SECONDS)})
      ON CONFLICT DO NOTHING`.execute(db)
}

export async function findAskedRun(db: Db | Tx): Promise<string | undefined> {
  const row = await db
    .selectFrom('reconciliation_run')
    .select('id')
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/** True for the one transaction that makes the run. A process that died held it no longer than its connection. */
export async function takeRun(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtext('reconciliation_run')) AS taken`.execute(tx)
  return rows[0]?.taken === true
}

export type Outcome = Pick<ReconciliationRun, 'found' | 'took_ms' | 'rules'>

const columnsOf = ({ found, took_ms, rules }: Outcome) => ({
  finished_at: sql<Date>`clock_timestamp()`,
  found: String(found),
  took_ms: String(took_ms),
  rules: JSON.stringify(rules),
})

export async function finishRun(tx: Tx, id: string, outcome: Outcome): Promise<void> {
  await tx.updateTable('reconciliation_run').set(columnsOf(outcome)).where('id', '=', id).execute()
}

export async function markRunFailed(db: Db, id: string): Promise<void> {
  await db
    .updateTable('reconciliation_run')
    .set({ finished_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute()
}

/** A run that the command line has made. */
export async function insertFinishedRun(db: Db, outcome: Outcome): Promise<void> {
  await db
    .insertInto('reconciliation_run')
    .values({ origin: 'command', ...columnsOf(outcome) })
    .execute()
}

/** The open run, the last one with an outcome, and whether the newest has none. */
export async function findReconciliation(db: Db | Tx): Promise<Reconciliation> {
  const runs = (state: 'open' | 'closed') =>
    db
      .selectFrom('reconciliation_run as run')
      .leftJoin('users as asker', 'asker.id', 'run.asked_by')
      .select(['run.id', 'run.origin', 'run.asked_by', 'run.asked_at', 'run.finished_at', 'run.took_ms'])
      .select(['run.found', 'run.rules', 'asker.username'])
      .where('run.finished_at', state === 'open' ? 'is' : 'is not', null)
      .orderBy('run.id', 'desc')
      .limit(1)
  const open = await runs('open').executeTakeFirst()
  const newest = await runs('closed').executeTakeFirst()
  const last = await runs('closed').where('run.found', 'is not', null).executeTakeFirst()
  return {
    running: open ? { id: open.id, by: personOf(open), asked_at: open.asked_at.toISOString() } : null,
    last: last?.finished_at
      ? {
          id: last.id,
          origin: last.origin as ReconciliationRun['origin'],
          by: personOf(last),
          finished_at: last.finished_at.toISOString(),
          took_ms: Number(last.took_ms),
          found: Number(last.found),
          rules: last.rules as ReconciliationRun['rules'],
        }
      : null,
    failed_at: newest?.found === null ? (newest.finished_at?.toISOString() ?? null) : null,
  }
}

const personOf = ({ asked_by, username }: { asked_by: string | null; username: string | null }) =>
  asked_by === null || username === null ? null : { id: asked_by, username }
