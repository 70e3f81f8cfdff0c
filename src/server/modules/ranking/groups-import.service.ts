import type { Tx } from '#server/platform/db/transaction.ts'
import { insertGroups } from './groups.queries.ts'

export type ImportedGroup = { name: string; description: string; value_name: string } & (
  | { source: 'game'; board: string }
  | { source: 'recharge' }
)

/** Brings the groups a demo shows, in their order. */
export async function importGroups(tx: Tx, groups: readonly ImportedGroup[]): Promise<void> {
  await insertGroups(
    tx,
    groups.map((group, position) => ({ ...group, position })),
  )
}
