import type { Db } from '#server/platform/db/database.ts'

export async function listStoredEventIds(
  db: Db,
  provider: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_event')
    .select('provider_event_id')
    .where('provider', '=', provider)
    .where('provider_event_id', 'in', ids)
    .execute()
  return rows.map((row) => row.provider_event_id)
}
