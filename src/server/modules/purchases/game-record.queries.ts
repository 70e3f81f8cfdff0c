import type { Db } from '#server/platform/db/database.ts'
import type { DeliveryState } from './deliveries.rules.ts'

/** Where the deliveries of these ids stand; ids that are unknown are left out. */
export async function selectStates(db: Db, ids: readonly string[]): Promise<Map<string, DeliveryState>> {
  const rows = await db.selectFrom('delivery').select(['id', 'state']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, state }) => [id, state as DeliveryState]))
}
