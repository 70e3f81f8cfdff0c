import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Day, figuresOf, listedRows } from './daily-close.rules.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

export type ListPlace = { provider: string; accountNumber: string }

/** How far a list has been read; both null before the first time. */
export async function findReading(
  db: Db,
  { provider, accountNumber }: ListPlace,
): Promise<{ sinceId: string | null; readAt: Date | null }> {
  const row = await db
    .selectFrom('provider_list')
    .select(['since_id', 'read_at'])
    .where('provider', '=', provider)
    .where('account_number', '=', accountNumber)
    .executeTakeFirst()
  return { sinceId: row?.since_id ?? null, readAt: row?.read_at ?? null }
}

export type Reading = ListPlace & { sinceId: string | null; readAt: Date }

export async function saveReading(
  db: Db,
  { provider, accountNumber, sinceId, readAt }: Reading,
): Promise<void> {
  await db
    .insertInto('provider_list')
    .values({ provider, account_number: accountNumber, since_id: sinceId, read_at: readAt })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'account_number']).doUpdateSet({ since_id: sinceId, read_at: readAt }),
    )
    .execute()
}

export type StatementDay = ListPlace & {
  day: Day
  figures: ReturnType<typeof figuresOf>
  /** Null for figures without rows. */
  listed: ReturnType<typeof listedRows> | null
  /** What an operator gave, if it is no provider's list. */
  givenId?: string
}

export async function saveStatementDay(db: Db | Tx, statement: StatementDay): Promise<void> {
  const figures = {
    ...statement.figures,
    listed: statement.listed && JSON.stringify(statement.listed),
    given_id: statement.givenId ?? null,
    read_at: sql<Date>`clock_timestamp()`,
  }
  const { accountNumber: account_number, day, provider } = statement
  await db
    .insertInto('bank_statement_day')
    .values({ account_number, day, provider, ...figures })
    .onConflict((conflict) => conflict.columns(['account_number', 'day', 'provider']).doUpdateSet(figures))
    .execute()
}

export type PulledEvent = {
  provider: string
  eventId: string
  ref: string | null
  account: string
  amount: string
  bookedAt: Date | null
  status: string
}

/**
 * Incoming transfers that a list reported first, since then, and no notification so far. `isDue`: one could have come since,
 * so many seconds after the bank booked it or the list was read.
 */
export async function selectUnnotified(
  db: Db,
  { since, lastId, graceSeconds }: { since: Date; lastId: string; graceSeconds: number },
): Promise<(PulledEvent & { isDue: boolean })[]> {
  const { rows } = await sql<PulledEvent & { isDue: boolean }>`
    WITH recent AS (
      SELECT * FROM payment_event WHERE received_at >= ${since} AND direction = 'in')
    SELECT provider, provider_event_id AS "eventId", bank_ref AS ref, account_number AS account, amount,
           booked_at AS "bookedAt", status,
           least(booked_at, received_at) + make_interval(secs => ${graceSeconds}) <= clock_timestamp() AS "isDue"
      FROM recent pulled
     WHERE signature = 'pulled' AND id <= ${lastId}::bigint
       AND NOT EXISTS (
         SELECT FROM payment_event told
          WHERE told.bank_transaction_id = pulled.bank_transaction_id AND told.signature = 'valid')
       AND NOT EXISTS (
         SELECT FROM recent again
          WHERE again.provider = pulled.provider AND again.signature = 'valid'
            AND starts_with(again.provider_event_id, pulled.provider_event_id || '#repeat-'))
     ORDER BY id`.execute(db)
  return rows
}

/** The newest payment event. */
export async function selectLastEventId(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`SELECT coalesce(max(id), 0) AS id FROM payment_event`.execute(db)
  return rows[0]?.id ?? '0'
}

/** A task, the time from one run of it to the next, and how long a process has it; the claim of one that died runs out. */
export type Task = { name: string; everySeconds: number; claimSeconds: number }

const isTaskDue = ({ name, everySeconds, claimSeconds }: Task) =>
  sql<boolean>`name = ${name} AND ${isDue(sql`due_at`, everySeconds)}
       AND (claimed_until IS NULL OR ${isDue(sql`claimed_until`, claimSeconds)})`

/** Those whose time has come and that nobody has in hand. */
export async function listDueTasks(db: Db, isResting: IsResting, tasks: readonly Task[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM reconciliation_task
     WHERE (${sql.join(tasks.map(isTaskDue), sql` OR `)}) AND NOT ${isResting(sql`reconciliation_task.name`)}
     ORDER BY name DESC`.execute(db)
  return rows.map(({ name }) => name)
}

/** Takes such a task. */
export async function claimTask(db: Db, task: Task): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reconciliation_task')
    .set({ claimed_until: sql<Date>`clock_timestamp() + make_interval(secs => ${task.claimSeconds})` })
    .where(isTaskDue(task))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function finishTask(
  db: Db,
  { name, afterSeconds }: { name: string; afterSeconds: number },
): Promise<void> {
  await db
    .updateTable('reconciliation_task')
    .set({
      due_at: sql<Date>`clock_timestamp() + make_interval(secs => ${afterSeconds})`,
      claimed_until: null,
    })
    .where('name', '=', name)
    .execute()
}

/** A task that failed is due as it was. */
export async function releaseTask(db: Db, name: string): Promise<void> {
  await db.updateTable('reconciliation_task').set({ claimed_until: null }).where('name', '=', name).execute()
}
