import type { Insertable } from 'kysely'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export async function insertGroups(
  tx: Tx,
  groups: readonly Insertable<DB['ranking_groups']>[],
): Promise<void> {
  await tx.insertInto('ranking_groups').values(groups).execute()
}
