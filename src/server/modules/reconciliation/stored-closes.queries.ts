import { sql, type Selectable } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type { operatorDailyCloses } from '#contract/operator/daily-closes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countWithinReach } from '#server/platform/db/list.ts'
import type { DailyClose } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { figuresOf } from './close-figures.queries.ts'
import { namedFigures, type CloseFigures } from './daily-close.rules.ts'
import type { Day } from './days.rules.ts'

export type StoredClose = {
  id: string
  accountNumber: string
  day: Day
  revision: number
  status: 'green' | 'red'
  differences: string[]
  figures: CloseFigures
  madeAt: Date
}

type Row = Omit<Selectable<DailyClose>, 'day'> & { day_text: Day }

const closes = (db: Db | Tx) =>
  db
    .selectFrom('daily_close')
    .selectAll()
    .select(sql<Day>`to_char(day, 'YYYY-MM-DD')`.as('day_text'))
    .where('is_latest', '=', true)

const toClose = (row: Row): StoredClose => ({
  id: row.id,
  accountNumber: row.account_number,
  day: row.day_text,
  revision: row.revision,
  status: row.status as StoredClose['status'],
  differences: row.differences,
  figures: figuresOf(row),
  madeAt: row.made_at,
})

export async function findClose(
  db: Db | Tx,
  { accountNumber, day }: { accountNumber: string; day: Day },
): Promise<StoredClose | undefined> {
  const row = await closes(db)
    .where('account_number', '=', accountNumber)
    .where('day', '=', sql<Date>`${day}::date`)
    .executeTakeFirst()
  return row && toClose(row)
}

/** The figures are the same again. */
export async function touchClose(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('daily_close')
    .set({ made_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

export type NewClose = {
  accountNumber: string
  day: Day
  differences: readonly string[]
  figures: CloseFigures
}

/** The close in place of the one that stood, which stays as history. */
export async function insertClose(tx: Tx, close: NewClose, before: StoredClose | undefined): Promise<void> {
  if (before)
    await tx.updateTable('daily_close').set({ is_latest: false }).where('id', '=', before.id).execute()
  await tx
    .insertInto('daily_close')
    .values({
      account_number: close.accountNumber,
      day: sql<Date>`${close.day}::date`,
      revision: (before?.revision ?? 0) + 1,
      status: close.differences.length === 0 ? 'green' : 'red',
      differences: [...close.differences],
      ...namedFigures(close.figures),
    })
    .execute()
}

/** The filter of the list's query; `day` is the same as `from` and `to` of that day. */
export type CloseFilter = NonNullable<QueryOf<typeof operatorDailyCloses.list>['filter']>

function filtered(db: Db, { id, account_number, status, day, from = day, to = day }: CloseFilter) {
  return closes(db)
    .$if(id !== undefined, (query) => query.where('id', 'in', id as string[]))
    .$if(account_number !== undefined, (query) =>
      query.where('account_number', '=', account_number as string),
    )
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(from !== undefined, (query) => query.where('day', '>=', sql<Date>`${from}::date`))
    .$if(to !== undefined, (query) => query.where('day', '<=', sql<Date>`${to}::date`))
}

export async function listCloses(
  db: Db,
  filter: CloseFilter,
  { order, from, to }: ListPage,
): Promise<StoredClose[]> {
  const rows = await filtered(db, filter)
    .orderBy('day', order)
    .orderBy('id', order)
    .offset(from)
    .limit(to - from + 1)
    .execute()
  return rows.map(toClose)
}

export async function countCloses(db: Db, filter: CloseFilter): Promise<number> {
  return countWithinReach(db, filtered(db, filter).clearSelect())
}
