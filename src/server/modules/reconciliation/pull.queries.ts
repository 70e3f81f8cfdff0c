import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Day, figuresOf, listedRows } from './daily-close.rules.ts'

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
  bookedAt: Date
  status: string
}

/** Incoming transfers stored since then from a list alone, so many seconds or longer after the bank had booked them. */
export async function selectPulledLate(
  db: Db,
  { since, lateSeconds }: { since: Date; lateSeconds: number },
): Promise<PulledEvent[]> {
  const { rows } = await sql<PulledEvent>`
    SELECT provider, provider_event_id AS "eventId", bank_ref AS ref, account_number AS account, amount,
           booked_at AS "bookedAt", status
      FROM payment_event
     WHERE received_at >= ${since} AND signature = 'pulled' AND direction = 'in'
       AND booked_at < received_at - make_interval(secs => ${lateSeconds})
     ORDER BY id`.execute(db)
  return rows
}

type Task = 'pull' | 'nightly'

/** Takes a task whose time has come and that nobody has in hand; the claim of a process that died runs out. */
export async function claimTask(
  db: Db,
  { name, everySeconds, claimSeconds }: { name: Task; everySeconds: number; claimSeconds: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reconciliation_task')
    .set({ claimed_until: sql<Date>`clock_timestamp() + make_interval(secs => ${claimSeconds})` })
    .where('name', '=', name)
    .where(isDue(sql`due_at`, everySeconds))
    .where(sql<boolean>`(claimed_until IS NULL OR ${isDue(sql`claimed_until`, claimSeconds)})`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function finishTask(
  db: Db,
  { name, afterSeconds }: { name: Task; afterSeconds: number },
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
