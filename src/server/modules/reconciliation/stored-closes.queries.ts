import { sql, type Selectable } from 'kysely'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { DailyClose } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { CloseFigures } from './daily-close.rules.ts'
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

const orNull = (text: string | null) => (text === null ? null : parseCoins(text))

const toClose = (row: Row): StoredClose => ({
  id: row.id,
  accountNumber: row.account_number,
  day: row.day_text,
  revision: row.revision,
  status: row.status as StoredClose['status'],
  differences: row.differences,
  figures: {
    bankInCount: orNull(row.bank_in_count),
    bankInVnd: orNull(row.bank_in_vnd),
    bankOutVnd: orNull(row.bank_out_vnd),
    arrivedCount: parseCoins(row.arrived_count),
    arrivedVnd: parseCoins(row.arrived_vnd),
    toldVnd: parseCoins(row.told_vnd),
    leftVnd: parseCoins(row.left_vnd),
    creditedVnd: parseCoins(row.credited_vnd),
    reviewVnd: parseCoins(row.review_vnd),
    refundedVnd: parseCoins(row.refunded_vnd),
    ignoredVnd: parseCoins(row.ignored_vnd),
    dueCoins: parseCoins(row.due_coins),
    ledgerCoins: parseCoins(row.ledger_coins),
    orderCoins: parseCoins(row.order_coins),
    directCoins: parseCoins(row.direct_coins),
    openEvents: parseCoins(row.open_events),
  },
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
  const { figures } = close
  await tx
    .insertInto('daily_close')
    .values({
      account_number: close.accountNumber,
      day: sql<Date>`${close.day}::date`,
      revision: (before?.revision ?? 0) + 1,
      status: close.differences.length === 0 ? 'green' : 'red',
      differences: [...close.differences],
      bank_in_count: figures.bankInCount,
      bank_in_vnd: figures.bankInVnd,
      bank_out_vnd: figures.bankOutVnd,
      arrived_count: figures.arrivedCount,
      arrived_vnd: figures.arrivedVnd,
      told_vnd: figures.toldVnd,
      left_vnd: figures.leftVnd,
      credited_vnd: figures.creditedVnd,
      review_vnd: figures.reviewVnd,
      refunded_vnd: figures.refundedVnd,
      ignored_vnd: figures.ignoredVnd,
      due_coins: figures.dueCoins,
      ledger_coins: figures.ledgerCoins,
      order_coins: figures.orderCoins,
      direct_coins: figures.directCoins,
      open_events: figures.openEvents,
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
