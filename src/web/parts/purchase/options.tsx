import type { User } from '#contract/users.ts'
import { purchaseCopy as copy } from '#web/parts/purchase/purchase.copy.ts'

/** A smaller difference, for example by rounding, does not count. */
const MARGIN = 1.01

/** The option that brings clearly the most luong for each TCoin; none where it makes no difference. */
export function bestValue<Option extends { amount: number }>(
  options: readonly Option[],
  luongOf: (option: Option) => number,
): Option | undefined {
  const valued = options
    .map((option) => ({ option, value: luongOf(option) / option.amount }))
    .sort((one, other) => other.value - one.value)
  const [first, second] = valued
  return first && second && first.value >= second.value * MARGIN ? first.option : undefined
}

/** The class of an option that the balance does not cover; it can still be chosen, to see what is missing. */
export const unaffordableClass = (user: User | null, amount: number) =>
  user && amount > user.balance ? 'is-beyond' : ''

/** On the option that brings the most luong for each TCoin. */
export const BestMark = () => (
  <span className="seal mt-1.5 self-start px-2 py-1 text-xs">{copy.bestValue}</span>
)
