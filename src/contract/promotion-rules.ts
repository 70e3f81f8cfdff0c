import type { PROMOTION_KINDS } from './constants.ts'
import { formatMoment, formatNumber } from './format.ts'

// What a promotion gives and what it promises in words. The server decides by these functions, the site and the console
// show what they say before anything is paid, and tests hold the words against the figures.

export type PromotionTerms = {
  kind: (typeof PROMOTION_KINDS)[number]
  /** Of the TCoin of the recharge, from 1 to 100; null unless the kind says so, as the next two. */
  percent: number | null
  /** TCoin. */
  amount: number | null
  /** From so many VND so many TCoin, rising; they need no other minimum. */
  steps: readonly { from: number; amount: number }[] | null
  /** VND that a recharge has to bring; 0: any. */
  minimum: number
}

/** TCoin that the terms add to a recharge of so many VND at a rate, without any cap. Fractions of a TCoin are left out. */
export function bonusFor(
  { kind, percent, amount, steps, minimum }: PromotionTerms,
  amountVnd: number,
  rate: number,
): number {
  if (amountVnd < minimum) return 0
  if (kind === 'percent') return Number((BigInt(amountVnd) * BigInt(rate) * BigInt(percent ?? 0)) / 100n)
  if (kind === 'fixed') return amount ?? 0
  return (steps ?? []).findLast(({ from }) => from <= amountVnd)?.amount ?? 0
}

/** What is left to a player and to everybody, in TCoin. */
export type PromotionRest = { player: number; total: number }

/**
 * TCoin that an order is promised: no more than the player has left. A promotion or a budget that does not hold the promise
 * any more promises nothing, so that no order gets less than the words say because others came before it.
 */
export function promiseFor(
  terms: PromotionTerms,
  { amountVnd, rate, rest }: { amountVnd: number; rate: number; rest: PromotionRest },
): number {
  const promise = Math.min(bonusFor(terms, amountVnd, rate), rest.player)
  return promise <= rest.total ? promise : 0
}

/** TCoin that what arrived brings of a promise: the same terms on that amount, and never more than the promise. */
export const grantFor = (
  terms: PromotionTerms,
  { promised, amountVnd, rate }: { promised: number; amountVnd: number; rate: number },
): number => Math.min(promised, bonusFor(terms, amountVnd, rate))

export type PromisedTerms = PromotionTerms & {
  /** TCoin. */
  cap_per_player: number
  is_first_recharge: boolean
  ends_at: string
}

/** The terms as a player reads them; `channel` is the name of the only channel they are for. */
export function sentenceOf(terms: PromisedTerms, channel: string | null): string {
  const { kind, amount, cap_per_player: cap, is_first_recharge: isFirst, ends_at } = terms
  // A gift that is given once says itself how much it is at most.
  const isOneAmount = isFirst && kind === 'fixed'
  const parts = [
    gain(isOneAmount ? { ...terms, amount: Math.min(amount ?? 0, cap) } : terms, channel),
    ...(isOneAmount ? [] : [`tối đa ${formatNumber(cap)} TCoin mỗi người`]),
    `với đơn lập trước ${formatMoment(ends_at)}`,
  ]
  return `${parts.join(', ')}. Khuyến mãi có thể hết sớm khi đã phát hết ngân sách.`
}

function gain(
  { kind, percent, amount, steps, minimum, is_first_recharge: isFirst }: PromisedTerms,
  channel: string | null,
): string {
  const from = (vnd: number) => (vnd === 0 ? '' : ` từ ${formatNumber(vnd)} VND`)
  if (kind === 'steps') {
    const when = isFirst ? 'nếu nạp' : 'khi nạp'
    const words = (steps ?? []).map((step) => `${formatNumber(step.amount)} TCoin ${when}${from(step.from)}`)
    const only = channel === null ? '' : `, chỉ qua ${channel}`
    return `Tặng thêm${isFirst ? ' cho lần nạp đầu tiên:' : ''} ${words.join(', ')}${only}`
  }
  const coins = kind === 'percent' ? `${percent ?? 0}%` : formatNumber(amount ?? 0)
  const condition = from(minimum) + (channel === null ? '' : ` qua ${channel}`)
  if (isFirst)
    return `Tặng thêm ${coins} TCoin cho lần nạp đầu tiên${condition === '' ? '' : `, nếu nạp${condition}`}`
  return `Tặng thêm ${coins} TCoin ${kind === 'percent' ? 'khi nạp' : 'cho mỗi đơn nạp'}${condition}`
}

/** Under which condition an order gets a bonus that is not held for it, besides that it is paid before its end. */
export function conditionOf({ isFirst }: { isFirst: boolean }): string {
  const budget = 'Thưởng được cộng cùng tiền nạp nếu lúc đó ngân sách khuyến mãi còn đủ.'
  return isFirst
    ? `Chỉ lần nạp đầu tiên được thưởng: nếu bạn lập nhiều đơn, đơn được cộng tiền trước nhận thưởng. ${budget}`
    : budget
}
