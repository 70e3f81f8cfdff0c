import type { Db } from '#server/platform/db/database.ts'
import { listStoredDeliveries, type StoredDelivery } from './operator.queries.ts'

const PAGE_ROWS = 500

/** Every delivery that is neither delivered nor refunded, the oldest first, a page at a time. */
export async function* openDeliveries(db: Db): AsyncGenerator<StoredDelivery> {
  let after: string | undefined
  for (;;) {
    const page = { from: 0, to: PAGE_ROWS - 1, order: 'asc', after } as const
    const rows = await listStoredDeliveries(db, { open: true }, page)
    yield* rows
    after = rows.at(-1)?.id
    if (rows.length < PAGE_ROWS) return
  }
}
