import type { QueryOf } from '#contract/endpoint.ts'
import type { ListedRefund, operatorGatewayRefunds } from '#contract/operator/gateway-refunds.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { countStoredRefunds, listStoredRefunds } from './refund-list.queries.ts'

type Filter = NonNullable<QueryOf<typeof operatorGatewayRefunds.list>['filter']>

/** Refunds in the order they were asked for, which is that of their ids. */
export async function listRefunds(
  db: Db,
  { asked_by, ...given }: Filter,
  page: ListPage,
): Promise<ListRows<ListedRefund>> {
  const asker = asked_by === undefined ? undefined : await findTraderByUsername(db, asked_by)
  if (asked_by !== undefined && asker === undefined) return { total: 0, rows: [] }
  const filter = { ...given, askedBy: asker?.id }
  return { rows: await listStoredRefunds(db, filter, page), total: () => countStoredRefunds(db, filter) }
}
