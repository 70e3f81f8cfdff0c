import type { Transaction, TransactionType } from '#contract/transactions.ts'
import { findTrader } from '#server/modules/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { invariant } from '#server/platform/invariant.ts'
import { noSuchDay } from './statements.errors.ts'
import { countEntries, listEntries, type StatementFilter } from './statements.queries.ts'
import { KINDS_OF_TYPE, nextDay, toTransaction, vietnamDayStart } from './statements.rules.ts'

export type StatementsDeps = PlatformDeps

/** What is asked of a statement, page by page or whole; an absent part does not narrow it. */
export type StatementQuery = {
  sort?: 'created_at' | 'amount' | undefined
  order?: 'asc' | 'desc' | undefined
  search?: string | undefined
  filter_type?: TransactionType | undefined
  /** Days in Vietnam time, both inclusive. */
  filter_from?: string | undefined
  filter_to?: string | undefined
}

type PageQuery = StatementQuery & { page?: number | undefined; items_per_page?: number | undefined }

type Page = {
  data: Transaction[]
  payload: { pagination: { page: number; items_per_page: number; total: number; last_page: number } }
}

const ITEMS_PER_PAGE = 20

/** One page of the player's statement, the newest first unless asked otherwise. */
export async function listStatement(deps: StatementsDeps, userId: string, query: PageQuery): Promise<Page> {
  const { page = 1, items_per_page = ITEMS_PER_PAGE } = query
  const filter = await statementFilter(deps.db, userId, query)
  const total = await countEntries(deps.db, filter)
  const entries = await listEntries(deps.db, filter, {
    sort: query.sort ?? 'created_at',
    order: query.order ?? 'desc',
    limit: items_per_page,
    offset: (page - 1) * items_per_page,
  })
  return {
    data: entries.map(toTransaction),
    payload: {
      pagination: {
        page,
        items_per_page,
        total,
        last_page: Math.max(1, Math.ceil(total / items_per_page)),
      },
    },
  }
}

/** What a query means for the player's wallet; throws a field refusal for a day there is not. */
export async function statementFilter(
  db: Db,
  userId: string,
  query: StatementQuery,
): Promise<StatementFilter> {
  const player = await findTrader(db, userId)
  invariant(player, 'a live session belongs to an account')
  const from = dayStart('filter_from', query.filter_from)
  const lastDay = dayStart('filter_to', query.filter_to)
  // PostgreSQL's text cannot hold a NUL, and no name or reference has one.
  const search = query.search?.replaceAll('\0', '').trim()
  return {
    walletId: player.walletId,
    ...(query.filter_type === undefined ? {} : KINDS_OF_TYPE[query.filter_type]),
    ...(from === undefined ? {} : { from }),
    ...(lastDay === undefined ? {} : { before: nextDay(lastDay) }),
    ...(search ? { search } : {}),
  }
}

function dayStart(field: 'filter_from' | 'filter_to', day: string | undefined): Date | undefined {
  if (day === undefined) return undefined
  const start = vietnamDayStart(day)
  if (start === null) throw noSuchDay(field)
  return start
}
