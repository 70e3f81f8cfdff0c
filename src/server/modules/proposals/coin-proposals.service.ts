import { formatNumber } from '#contract/format.ts'
import { coinsWorth } from '#contract/operator/rewards/goods-worth.ts'
import { goodsPrices } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import type { ProposedChange, TermsOf } from './proposals.service.ts'

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

type CoinProposals = {
  titleOf(id: string, db: Db | Tx): Promise<string>
  moveNow(tx: Tx, movement: CoinMovement): Promise<unknown>
  /** What the movement changes, such as a wallet. */
  label: string
  /** TCoin that are there now, by one statement. */
  readBalances(db: Db | Tx, ids: readonly string[]): Promise<Map<string, number>>
}

/** TCoin in words with a sign. */
export const signedCoins = (amount: number): string =>
  `${amount < 0 ? '−' : '+'}${formatNumber(Math.abs(amount))} TCoin`

/** How a movement that a second person approved is made. */
export const coinProposals = ({ titleOf, moveNow, label, readBalances }: CoinProposals) => ({
  titleOf,
  termsOf: (async (db, changes, settings) => {
    const balances = await readBalances(
      db,
      changes.map(({ subject }) => subject),
    )
    const prices = goodsPrices(settings)
    return changes.map(({ subject, payload: { after } }) => {
      const [amount, now] = [Number(after), balances.get(subject) ?? 0]
      const worth = coinsWorth(Math.abs(amount), prices)
      return {
        lines: [
          { label: 'Thay đổi', before: null, after: signedCoins(amount) },
          { label, before: `${formatNumber(now)} TCoin`, after: `${formatNumber(now + amount)} TCoin` },
        ],
        worst: amount > 0 ? worth : `Không tốn thêm; lấy lại ${worth}`,
      }
    })
  }) satisfies TermsOf as TermsOf,
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
