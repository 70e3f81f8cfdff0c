import { formatNumber } from '#contract/format.ts'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'

type Limits = { min: number; max: number }

const QUICK_AMOUNTS = [10_000, 20_000, 50_000, 100_000, 200_000, 500_000]

/** The amounts offered as buttons: those within the channel's limits. */
export function quickAmounts(limits: Limits | undefined): number[] {
  if (!limits) return QUICK_AMOUNTS
  return QUICK_AMOUNTS.filter((amount) => amount >= limits.min && amount <= limits.max)
}

/** What is wrong with the amount, or undefined. Without a channel only a missing amount is. */
export function amountProblem(amount: number | null, limits: Limits | undefined): string | undefined {
  if (amount === null) return copy.amountMissing
  if (!limits) return undefined
  if (amount < limits.min) return copy.amountTooSmall(formatNumber(limits.min))
  if (amount > limits.max) return copy.amountTooLarge(formatNumber(limits.max))
  return undefined
}

/**
 * The amount in a link, for example what a purchase lacks, raised to the minimum of a recharge. Anything else that
 * there is no amount.
 */
export function requestedAmount(text: string | null, { min, max }: Limits): number | null {
  if (text === null || !/^[1-9]\d{0,14}$/.test(text)) return null
  const amount = Math.max(Number(text), min)
  return amount <= max ? amount : null
}
