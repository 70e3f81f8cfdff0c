import type { Tx } from '#server/platform/db/transaction.ts'

export type NewGroup = {
  name: string
  description: string
  valueName: string
} & ({ source: 'game'; board: string } | { source: 'recharge' })

export async function insertGroup(tx: Tx, group: NewGroup, position: number): Promise<void> {
  await tx
    .insertInto('ranking_groups')
    .values({
      name: group.name,
      description: group.description,
      value_name: group.valueName,
      source: group.source,
      board: group.source === 'game' ? group.board : null,
      position,
    })
    .execute()
}
