import { randomUUID } from 'node:crypto'
import type { AnswerOf } from '#contract/endpoint.ts'
import { COINS_MAX } from '#contract/fields.ts'
import type { operatorUserActs } from '#contract/operator/users.ts'
import { findUsername } from '#server/modules/accounts/index.ts'
import { actAsOperator, countAlone } from '#server/modules/audit/index.ts'
import { type CoinMovement, coinProposals, propose, proposedCoins } from '#server/modules/proposals/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { findTrader, lockTrader, playerErased } from '#server/modules/traders/index.ts'
import { HOUSE, postTransfer, settleDebt } from '#server/modules/wallet/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { selectWalletBalances } from './players.queries.ts'
import { ownAccount, walletFull, walletHolds } from './players.errors.ts'
import type { PlayersDeps } from './players.service.ts'

type Call = UserCall<typeof operatorUserActs.adjust>
type Answer = AnswerOf<typeof operatorUserActs.adjust>

/**
 * Adds TCoin to a wallet or takes some away. Above the limit a second person decides. Nobody does it to themselves,
 * however little.
 */
export async function adjustBalance(deps: PlayersDeps, call: Call): Promise<Answer> {
  const { params, body, identity, request } = call
  const { amount, reason } = body
  const userId = params.id
  const by = { operatorId: identity.userId, requestId: request.id }
  if (userId === identity.userId) throw ownAccount()
  return actAsOperator<Answer>(deps, call, {
    action: 'users.adjust',
    work: async (tx) => {
      const player = orNotFound(await findTrader(tx, userId))
      if (player.isErased) throw playerErased()
      const { manualCreditLimit } = await readSettings(tx)
      const limited = { action: 'users.adjust', userId, coins: Math.abs(amount) } as const
      if (!(await countAlone(tx, { ...limited, operatorId: by.operatorId, limit: manualCreditLimit }))) {
        assertPossible(player.balance, amount)
        const change = {
          kind: 'adjustment',
          subject: userId,
          payload: proposedCoins(amount),
          reason,
        } as const
        const proposal = await propose(deps, tx, { ...change, ...by })
        if (proposal !== null) return { answer: { proposal }, audit: null }
      }
      const { before, after } = await adjustNow(tx, { id: userId, amount, sourceId: randomUUID(), by })
      const audit = { subject: { type: 'user', id: userId }, details: { amount, before, after } }
      return { answer: after, audit }
    },
  })
}

type Purse = { balance: number; debt: number }

/** What is added pays a debt first, as all that comes in; what is taken away the wallet has to hold. */
async function adjustNow(
  tx: Tx,
  { id, amount, sourceId, by }: CoinMovement,
): Promise<{ before: Purse; after: Purse }> {
  const player = await lockTrader(tx, id)
  if (player.isErased) throw playerErased()
  const before = { balance: player.balance, debt: player.debt }
  assertPossible(player.balance, amount)
  const [debit, credit] =
    amount > 0 ? [HOUSE.adjustment, player.walletId] : [player.walletId, HOUSE.adjustment]
  const source = { type: 'adjustment', id: sourceId }
  const actor = { actorOperatorId: by.operatorId, requestId: by.requestId }
  await postTransfer(tx, { kind: 'adjustment', debit, credit, amount: Math.abs(amount), source, ...actor })
  const paid = amount > 0 ? await settleDebt(tx, { player, source, actor }) : 0
  return { before, after: { balance: before.balance + amount - paid, debt: before.debt - paid } }
}

function assertPossible(balance: number, amount: number): void {
  if (balance + amount < 0) throw walletHolds(balance)
  if (balance + amount > COINS_MAX) throw walletFull()
}

export const adjustmentProposals = coinProposals({
  titleOf: async (userId, db) => `Điều chỉnh số dư của ${await findUsername(db, userId)}`,
  moveNow: adjustNow,
  label: 'Số dư của người chơi',
  readBalances: selectWalletBalances,
})
