import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import type { ProposedChange } from './proposals.service.ts'

/** TCoin that an operator puts into a wallet or budget, or takes out of it. */
export type CoinMovement = {
  /** Of the player or budget. */
  id: string
  /** Signed. */
  amount: number
  /** Names the act: the ledger takes one movement for each. */
  sourceId: string
  by: ProposedChange['by']
}

/** A proposed movement replaces nothing: it is as valid later, as long as what it takes is there. */
const NOTHING = ''

export const proposedCoins = (amount: number) => ({ before: NOTHING, after: String(amount) })

/** How a movement that a second person approved is made. */
export const coinProposals = (
  titleOf: (id: string, db: Db | Tx) => Promise<string>,
  moveNow: (tx: Tx, movement: CoinMovement) => Promise<unknown>,
) => ({
  titleOf,
  readMany: async (_db: unknown, ids: readonly string[]): Promise<Map<string, string>> =>
    new Map(ids.map((id) => [id, NOTHING])),
  /** False when what would be taken is not there any more. */
  async apply(tx: Tx, { proposalId, subject: id, after, by }: ProposedChange): Promise<boolean> {
    try {
      await moveNow(tx, { id, amount: Number(after), sourceId: `proposal:${proposalId}`, by })
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  },
})
