import { sql, type Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { DailyClose } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
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

export type CloseFilter = { accountNumber?: string; status?: string; from?: Day; to?: Day }

function filtered(db: Db, { accountNumber, status, from, to }: CloseFilter) {
  return closes(db)
    .$if(accountNumber !== undefined, (query) => query.where('account_number', '=', accountNumber as string))
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(from !== undefined, (query) => query.where('day', '>=', sql<Date>`${from}::date`))
    .$if(to !== undefined, (query) => query.where('day', '<=', sql<Date>`${to}::date`))
}

type Page = { order: 'asc' | 'desc'; offset: number; limit: number }

export async function listCloses(db: Db, filter: CloseFilter, page: Page): Promise<StoredClose[]> {
  const rows = await filtered(db, filter)
    .orderBy('day', page.order)
    .orderBy('id', page.order)
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map(toClose)
}

export async function countCloses(db: Db, filter: CloseFilter): Promise<number> {
  const row = await filtered(db, filter)
    .clearSelect()
    .select((query) => query.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
