import type { User } from '#contract/users.ts'
import { purchaseCopy as copy } from '#web/parts/purchase/purchase.copy.ts'

/** The look of what the balance does not cover: it can be chosen, to see what is missing. */
export const beyondClass = (user: User | null, amount: number) =>
  user && amount > user.balance ? 'is-beyond' : ''

/** On the option that brings the most luong for each TCoin. */
export const BestMark = () => (
  <span className="seal mt-1.5 self-start px-2 py-1 text-xs">{copy.bestValue}</span>
)
