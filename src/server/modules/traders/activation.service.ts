import { formatNumber } from '#contract/format.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { coinsMissing, HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { Refusal, invariant } from '#server/platform/values/errors.ts'
import { once } from '#server/platform/idempotency/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { insertActivation, lockTrader, type Trader } from './traders.queries.ts'
import { assertNotBanned } from './traders.service.ts'

/** It succeeds once; what else is asked is refused, and may not be asked without end. */
const ACTIVATIONS_PER_PLAYER = sharedLimit('activations', 600, 60)

export type BalanceAnswer = { message: string; report: true; balance: number }

export type ActivationRequest = {
  userId: string
  key: string | null
  overLimit: Refusal | null
  requestId: string
}

/** The player pays the fee of the day and may trade from now on; once per account. */
export async function activateAccount(
  deps: PlatformDeps,
  { userId, key, overLimit, requestId }: ActivationRequest,
): Promise<BalanceAnswer> {
  const operation = key === null ? null : { scope: `user:${userId}:activate`, key, body: null }
  const pace = { limits: deps.limits, limit: ACTIVATIONS_PER_PLAYER, of: userId, overLimit }
  const work = async (tx: Tx) => {
    const player = await lockTrader(tx, userId)
    assertNotBanned(player, deps.clock.now())
    if (player.isActivated) throw new Refusal('ALREADY_ACTIVATED')
    const { activeFee } = await readSettings(tx)
    const balance = await activateWithin(tx, { player, fee: activeFee, actorUserId: userId, requestId })
    return {
      answer: { message: activationMessage(activeFee), report: true as const, balance },
      resultType: 'activation',
      resultId: userId,
    }
  }
  return once<BalanceAnswer>(deps.db, operation, work, pace)
}

type Activation = {
  /** Locked and not yet activated; its balance is what the fee is taken from. */
  player: Trader
  /** As the setting says now; copied into the row, so that a later audit can explain it. */
  fee: number
  actorUserId: string
  requestId: string
}

/** Takes the fee from the player's wallet and writes the fact, inside the caller's transaction. Answers the new balance. */
export async function activateWithin(
  tx: Tx,
  { player, fee, actorUserId, requestId }: Activation,
): Promise<number> {
  invariant(!player.isActivated, 'only an account that is not activated is activated')
  if (player.balance < fee) throw coinsMissing(fee - player.balance)
  if (fee === 0) {
    await insertActivation(tx, { userId: player.id, transferId: null, fee })
    return player.balance
  }
  const posted = await postTransfer(tx, {
    kind: 'activation',
    debit: player.walletId,
    credit: HOUSE.revenue,
    amount: fee,
    source: { type: 'user', id: player.id },
    actorUserId,
    requestId,
  })
  await insertActivation(tx, { userId: player.id, transferId: posted.transferId, fee })
  return posted.debitBalance
}

export function activationMessage(fee: number): string {
  return fee === 0
    ? 'Kích hoạt tài khoản thành công'
    : `Kích hoạt tài khoản thành công, phí kích hoạt là ${formatNumber(fee)} TCoin`
}
