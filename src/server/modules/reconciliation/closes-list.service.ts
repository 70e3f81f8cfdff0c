import type { OperatorDailyClose } from '#contract/operator/daily-closes.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { namedFigures } from './daily-close.rules.ts'
import { countCloses, listCloses, type CloseFilter, type StoredClose } from './stored-closes.queries.ts'

/** The closes that stand. */
export async function listDailyCloses(
  db: Db,
  filter: CloseFilter,
  page: ListPage,
): Promise<ListRows<OperatorDailyClose>> {
  const rows = await listCloses(db, filter, page)
  return { total: await countCloses(db, filter), rows: rows.map(toAnswer) }
}

function toAnswer({ figures, ...close }: StoredClose): OperatorDailyClose {
  return {
    id: close.id,
    account_number: close.accountNumber,
    day: close.day,
    revision: close.revision,
    status: close.status,
    differences: close.differences,
    ...namedFigures(figures),
    made_at: close.madeAt.toISOString(),
  }
}
