import type { Tx } from '#server/platform/db/transaction.ts'
import { insertGroup, type NewGroup } from './groups.queries.ts'

export type ImportedGroup = NewGroup

/** Brings the groups a demo shows, in their order. */
export async function importGroups(tx: Tx, groups: readonly ImportedGroup[]): Promise<void> {
  for (const [position, group] of groups.entries()) await insertGroup(tx, group, position)
}
