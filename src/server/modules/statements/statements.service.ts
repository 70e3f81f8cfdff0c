import type * as z from 'zod/mini'
import type { Transaction, transactionsCsvQuery } from '#contract/transactions.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { type Page, pageOf, type PageQuery } from '#server/platform/http/list.ts'
import { invalidField } from '#server/platform/values/errors.ts'
import { vietnamDayBounds } from '#server/platform/values/vietnam-time.rules.ts'
import { knownWalletOf, listPage, type StatementFilter, walletOf } from './statements.queries.ts'
import { KINDS_OF_TYPE, toTransaction } from './statements.rules.ts'

const noSuchDay = (field: 'filter_from' | 'filter_to') => invalidField(field, 'Ngày không hợp lệ')

/** What is asked of a statement, page by page or whole; an absent part does not narrow it. */
export type StatementQuery = z.output<typeof transactionsCsvQuery>

/** One page of the player's statement, the newest first unless asked otherwise. */
export async function listStatement(
  deps: PlatformDeps,
  userId: string,
  query: StatementQuery & PageQuery,
): Promise<Page<Transaction>> {
  const { limit, offset, of } = pageOf(query)
  const { total, entries } = await listPage(deps.db, await statementFilter(deps.db, userId, query), {
    sort: query.sort ?? 'created_at',
    order: query.order ?? 'desc',
    limit,
    offset,
  })
  return of(total, entries.map(toTransaction))
}

/** What a query means for the player's wallet; throws a field refusal for a day there is not. */
export async function statementFilter(
  db: Db,
  userId: string,
  query: StatementQuery,
): Promise<StatementFilter> {
  const firstDay = dayOf('filter_from', query.filter_from)
  const lastDay = dayOf('filter_to', query.filter_to)
  // PostgreSQL's text cannot hold a NUL, and no name or reference has one.
  const search = query.search?.replaceAll('\0', '').trim()
  return {
    // A late page by amount is read in the index's order only when the wallet is known to be long.
    wallet: query.sort === 'amount' ? await knownWalletOf(db, userId) : walletOf(userId),
    ...(query.filter_type === undefined ? {} : KINDS_OF_TYPE[query.filter_type]),
    ...(firstDay === undefined ? {} : { from: firstDay.start }),
    ...(lastDay === undefined ? {} : { before: lastDay.end }),
    ...(search ? { search } : {}),
  }
}

function dayOf(field: 'filter_from' | 'filter_to', day: string | undefined) {
  if (day === undefined) return undefined
  const bounds = vietnamDayBounds(day)
  if (bounds === undefined) throw noSuchDay(field)
  return bounds
}
