import type { OpenMatter } from '#contract/personal-data.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Person } from '#server/domain/personal-part.ts'
import { personalParts } from './registry.ts'

/** How many of each matter have to be ended first; of balance and debt, how many TCoin. */
export type OpenMatters = Partial<Record<OpenMatter, number>>

/** A person cannot be erased yet. */
export class StillOpen extends Error {
  readonly matters: OpenMatters

  constructor(matters: OpenMatters) {
    super('something of this person is still open')
    this.matters = matters
  }
}

/** What is open; up to `coinsMax` TCoin in the wallet are given up and no matter. Exact under the wallet's lock only. */
export async function openMattersOf(
  tx: Tx,
  person: Person,
  { coinsMax }: { coinsMax: number },
): Promise<OpenMatters> {
  const matters: OpenMatters = {}
  for (const { open = {} } of personalParts) {
    for (const [matter, count] of Object.entries(open)) {
      const found = await count(tx, person)
      if (found > (matter === 'balance' ? coinsMax : 0)) matters[matter as OpenMatter] = found
    }
  }
  return matters
}

/** As answers and rows have them. */
export const listMatters = (matters: OpenMatters): { matter: OpenMatter; count: number }[] =>
  Object.entries(matters).map(([matter, count]) => ({ matter: matter as OpenMatter, count }))
