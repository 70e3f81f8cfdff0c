import { conditionOf, grantFor, promiseFor, sentenceOf } from '#contract/promotion-rules.ts'
import type { RechargeChannel, RechargeOrder } from '#contract/recharge.ts'
import { HOUSE, type LedgerActor, postTransfer, reverseCredit } from '#server/modules/wallet/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { invariant } from '#server/platform/values/errors.ts'
import {
  bonusesOfPerson,
  insertBonus,
  type LockedBonus,
  type LockedRest,
  lockBonus,
  listDueBonuses,
  lockDueBonus,
  lockRests,
  type RunningPromotion,
  selectRunning,
  updateGranted,
  updateHeld,
  updateReleased,
  updateReversed,
  updateTakenBack,
} from './bonuses.queries.ts'
import { roomToHold } from './unpaid.rules.ts'

// What orders are promised and given besides the TCoin of the recharge. What is held for an order is moved out of its budget at
// once, so that nothing that happens to the promotion or the budget afterwards can break the promise; it goes back when the order
// ends. Accounts that cost nothing hold nothing, and all unpaid orders together a share of what is left: else strangers
// empty a promotion without paying. What is not held is drawn from the budget when the money is credited.
// Locks go order, wallet, house_recharge, what the order is promised, promotion, budget, promotion_hold, the budget's account.

const isFor = (channel: number) => (running: RunningPromotion) =>
  running.channel === null || running.channel === channel

/** What is added to the player's recharges now, by channel. */
export async function listRunning(db: Db, userId: string): Promise<ChannelPromotions> {
  const running = (await selectRunning(db, userId)).filter(
    ({ rest }) => Math.min(rest.player, rest.total) > 0,
  )
  return (channel, name) => {
    const promotions = running.filter(isFor(channel)).map((one) => ({
      title: one.title,
      sentence: sentenceOf(one, one.channel === null ? null : name),
      ends_at: one.ends_at,
      terms: termsOf(one),
      rest: one.rest,
    }))
    const [first] = promotions
    const promotion = first ? { title: first.title, sentence: first.sentence, ends_at: first.ends_at } : null
    return { promotion, promotions }
  }
}

type ChannelPromotions = (channel: number, name: string) => Pick<RechargeChannel, 'promotion' | 'promotions'>

const termsOf = ({ kind, percent, amount, steps, minimum }: RunningPromotion) => ({
  kind,
  percent,
  amount,
  steps: steps === null ? null : [...steps],
  minimum,
})

type NewOrder = { code: string; userId: string; channel: number; amount: number; rate: number }

/**
 * Promises a new order the most that any promotion gives it; of equal ones one that is held, then the oldest. The order was just written, and its
 * player's wallet is locked. Null where nothing is promised.
 */
export async function promiseBonus(
  tx: Tx,
  { code, userId, channel, amount, rate }: NewOrder,
): Promise<RechargeOrder['bonus']> {
  const promised = (running: RunningPromotion) =>
    promiseFor(running, { amountVnd: amount, rate, rest: running.rest })
  const candidates = (await selectRunning(tx, userId))
    .filter(isFor(channel))
    .filter((running) => promised(running) > 0)
  const toHold = candidates.filter(({ mayHold }) => mayHold).map(({ id }) => id)
  const rests = toHold.length === 0 ? null : await lockRests(tx, toHold, userId)
  // Others may have been promised something meanwhile.
  const [best] = candidates
    .map((one) => {
      const locked = rests?.get(one.id)
      const coins = promised({ ...one, rest: leftNow(one, locked) })
      return { promotion: one, coins, isHeld: locked !== undefined && coins <= roomToHold(locked) }
    })
    .filter(({ coins }) => coins > 0)
    .toSorted((one, other) => other.coins - one.coins || Number(other.isHeld) - Number(one.isHeld))
  if (best === undefined) return null
  const { promotion, coins, isHeld } = best
  const id = await insertBonus(tx, { code, promotion, promised: coins })
  if (isHeld) await hold(tx, { id, reversals: 0 }, coins)
  const condition = isHeld ? null : conditionOf({ isFirst: promotion.is_first_recharge })
  return { title: promotion.title, amount: coins, is_given: false, condition }
}

const leftNow = ({ rest }: RunningPromotion, locked: LockedRest | undefined): RunningPromotion['rest'] =>
  locked === undefined ? rest : { player: rest.player, total: locked.isRunning ? locked.total : 0 }

/** Moves TCoin out of the budget for an order. The promotion and the budget are locked. */
async function hold(tx: Tx, bonus: Pick<LockedBonus, 'id' | 'reversals'>, coins: number): Promise<void> {
  const budgetAccount = await updateHeld(tx, { id: bonus.id, coins })
  await postTransfer(tx, {
    kind: 'bonus_hold',
    debit: budgetAccount,
    credit: HOUSE.promotionHold,
    amount: coins,
    source: sourceOf(bonus),
  })
}

/**
 * What a conditional bonus gets now: it is held for the order for the moment, as that of others was all the time. Nothing
 * unless cap and budget have it in full. That the promotion was stopped meanwhile breaks no promise.
 */
async function draw(
  tx: Tx,
  bonus: Pick<LockedBonus, 'id' | 'promotionId' | 'reversals'>,
  { userId, wanted }: { userId: string; wanted: number },
): Promise<number> {
  if (wanted === 0) return 0
  const rest = (await lockRests(tx, [bonus.promotionId], userId)).get(bonus.promotionId)
  invariant(rest, 'what was promised has its promotion')
  const coins = Math.min(wanted, rest.player)
  if (coins <= 0 || coins > rest.total) return 0
  await hold(tx, bonus, coins)
  return coins
}

const SOURCE = 'order_bonus'

/**
 * Each grant after a reversal, and each hold after one that was taken back, is an operation of its own to the ledger; a grant draws
 * on the row that the reversal filled.
 */
const sourceOf = ({ id, reversals }: Pick<LockedBonus, 'id' | 'reversals'>) => ({
  type: SOURCE,
  id: reversals === 0 ? id : `${id}:${reversals}`,
})

type Grant = {
  order: { id: string; code: string }
  player: { id: string; walletId: string }
  /** VND that arrived, and when they were paid. */
  amountVnd: number
  paidAt: Date
  actor: LedgerActor
}

/**
 * Gives what the order was promised, if the money was paid before the order's end: the same terms on what arrived, and never
 * more than the promise. What the first recharge is, is decided here: the first money that is credited to the player, whichever
 * order and promotion it is for. In the transaction that credits the money, whose order and wallet are locked. Null where that is
 * nothing; a promise that is not kept in full goes back to its budget.
 */
export async function grantBonus(
  tx: Tx,
  { order, player, amountVnd, paidAt, actor }: Grant,
): Promise<{ title: string; coins: number } | null> {
  const bonus = await lockBonus(tx, order.id)
  if (bonus?.state !== 'held' && bonus?.state !== 'conditional') return null
  const { id, title, terms, rate, orderExpiresAt, isTooLate } = bonus
  const isHeld = bonus.state === 'held'
  const isInTime = paidAt.getTime() < orderExpiresAt.getTime()
  const promised = isHeld ? bonus.held : bonus.promised
  const wanted = isInTime && !isTooLate ? grantFor(terms, { promised, amountVnd, rate }) : 0
  const coins = isHeld ? wanted : await draw(tx, bonus, { userId: player.id, wanted })
  if (coins === 0) {
    await updateReleased(tx, order.code)
    return null
  }
  const { transferId } = await postTransfer(tx, {
    kind: 'bonus',
    debit: HOUSE.promotionHold,
    credit: player.walletId,
    amount: coins,
    source: sourceOf(bonus),
    ...actor,
  })
  await updateGranted(tx, { id, coins, transferId })
  return { title, coins }
}

/** An order was cancelled: what it was promised goes back to its budget. */
export const releaseBonus = (tx: Tx, code: string): Promise<void> => updateReleased(tx, code)

type Reversed = {
  orderId: string
  /** With the balance that the wallet has now. */
  player: { id: string; walletId: string; balance: number }
  /** Whether the money is decided about again, and with it the bonus. */
  isDecidedAgain: boolean
  actor: LedgerActor
}

/**
 * Takes back the bonus of a credit that is reversed, by the mirror of its grant; what the wallet does not hold any more is
 * owed. Answers the TCoin that were lent for it.
 */
export async function reverseBonus(
  tx: Tx,
  { orderId, player, isDecidedAgain, actor }: Reversed,
): Promise<{ lent: number; coins: number }> {
  const bonus = await lockBonus(tx, orderId)
  if (bonus?.state !== 'granted') return { lent: 0, coins: 0 }
  const { id, granted: coins, reversals, transferId } = bonus
  invariant(transferId, 'a bonus that was given has its ledger transfer')
  const { lent } = await reverseCredit(tx, {
    player,
    original: { transferId, amount: coins, debit: HOUSE.promotionHold },
    source: sourceOf({ id, reversals: reversals + 1 }),
    actor,
  })
  await updateReversed(tx, id, isDecidedAgain ? 'held' : 'released')
  return { lent, coins }
}

const TAKEN_BACK_AT_ONCE = 100

/** Takes back what promises do not need any more; true when it did something. */
export const takeBackDue = (deps: Pick<PlatformDeps, 'db' | 'log'>): Promise<boolean> =>
  workOff(deps, {
    job: 'bonuses',
    limit: TAKEN_BACK_AT_ONCE,
    list: listDueBonuses,
    work: (id) => takeBack(deps, id),
  })

async function takeBack({ db }: Pick<PlatformDeps, 'db'>, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const due = await lockDueBonus(tx, id)
    if (due === undefined) return false
    await updateTakenBack(tx, due)
    await postTransfer(tx, {
      kind: 'bonus_release',
      debit: HOUSE.promotionHold,
      credit: due.budgetAccount,
      amount: due.held,
      source: sourceOf(due),
    })
    return true
  })
}

/** Promises that are over go back to their budgets within seconds. */
export function startBonusJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'bonuses', pauseMs: 5_000, round: () => takeBackDue(deps) }])
}

/** Bonuses hold ids and amounts, as the ledger does: they stay, and name nobody once the account is erased. */
export const personalBonuses: PersonalPart = {
  lists: { recharge_bonuses: bonusesOfPerson },
  erase: eraseNothing,
}
