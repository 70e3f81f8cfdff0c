import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type { CloseStatus, OperatorDailyClose, operatorDailyCloses } from '#contract/operator/daily-closes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { figuresOf } from './daily-close.queries.ts'
import type { MadeClose } from './daily-close.rules.ts'
import type { Day } from './days.rules.ts'

const closes = (db: Db | Tx) =>
  db
    .selectFrom('daily_close')
    .selectAll()
    .select(sql<Day>`to_char(day, 'YYYY-MM-DD')`.as('day_text'))
    .$narrowType<{ outcome: CloseStatus }>()
    .where('is_latest', '=', true)

type StoredClose = OperatorDailyClose & { latest_id: string }

/** One close with the one that stands in its place, which may be itself. */
export async function findCloseById(db: Db | Tx, id: string): Promise<StoredClose | undefined> {
  const row = await db
    .selectFrom('daily_close as close')
    .innerJoin('daily_close as latest', (join) =>
      join
        .onRef('latest.account_number', '=', 'close.account_number')
        .onRef('latest.day', '=', 'close.day')
        .on('latest.is_latest', '=', true),
    )
    .selectAll('close')
    .select(['latest.id as latest_id', sql<Day>`to_char(close.day, 'YYYY-MM-DD')`.as('day_text')])
    .$narrowType<{ outcome: CloseStatus }>()
    .where('close.id', '=', id)
    .executeTakeFirst()
  return row && { ...toClose(row), latest_id: row.latest_id }
}

/** The latest close of a day, to compare with one made anew. */
export type LatestClose = MadeClose & { id: string; revision: number }

export async function findClose(
  db: Db | Tx,
  { accountNumber, day }: { accountNumber: string; day: Day },
): Promise<LatestClose | undefined> {
  const row = await closes(db)
    .where('account_number', '=', accountNumber)
    .where('day', '=', sql<Date>`${day}::date`)
    .executeTakeFirst()
  return row && { ...row, accountNumber, figures: figuresOf(row) }
}

/** The figures are the same again. */
export async function touchClose(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('daily_close')
    .set({ made_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** The close in place of the one that stood, which stays as history. */
export async function insertClose(
  tx: Tx,
  close: MadeClose & { day: Day },
  before: LatestClose | undefined,
): Promise<void> {
  if (before)
    await tx.updateTable('daily_close').set({ is_latest: false }).where('id', '=', before.id).execute()
  await tx
    .insertInto('daily_close')
    .values({
      account_number: close.accountNumber,
      day: sql<Date>`${close.day}::date`,
      revision: (before?.revision ?? 0) + 1,
      // What programs before the third state read; `outcome` follows by itself.
      status: close.differences.length === 0 ? 'green' : 'red',
      differences: [...close.differences],
      ...close.figures,
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
    .$if(status !== undefined, (query) => query.where('outcome', '=', status as string))
    .$if(from !== undefined, (query) => query.where('day', '>=', sql<Date>`${from}::date`))
    .$if(to !== undefined, (query) => query.where('day', '<=', sql<Date>`${to}::date`))
}

export async function listCloses(
  db: Db,
  filter: CloseFilter,
  { order, from, to }: ListPage,
): Promise<OperatorDailyClose[]> {
  const rows = await filtered(db, filter)
    .orderBy('day', order)
    .orderBy('id', order)
    .offset(from)
    .limit(to - from + 1)
    .execute()
  return rows.map(toClose)
}

const toClose = <
  Row extends Parameters<typeof figuresOf>[0] & { day_text: Day; made_at: Date; outcome: CloseStatus },
>(
  row: Row,
) => ({
  ...row,
  ...figuresOf(row),
  day: row.day_text,
  status: row.outcome,
  made_at: row.made_at.toISOString(),
})

export async function countCloses(db: Db, filter: CloseFilter): Promise<number> {
  return countWithinReach(db, filtered(db, filter))
}
