import { serverNow } from '#client/server-clock.ts'
import type { Character } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format.ts'
import type { User } from '#contract/users.ts'
import { isBanned } from '#web/session/session-store.ts'
import { purchaseCopy as copy } from '#web/parts/purchase/purchase.copy.ts'
import { missingCopy } from '#web/parts/amounts/missing-coins.tsx'

/** Something that is bought for a character, at its price in TCoin. */
type Priced = { amount: number }

export type Wish<P extends Priced> = {
  user: User | null
  /** Null while they are not known yet. */
  characters: readonly Character[] | null
  character: Character | undefined
  choice: P | undefined
  /** The page's texts for a visitor, and for an incomplete choice. */
  words: { loginFirst: string; incomplete: string }
}

/** Whether the purchase may be confirmed; when not, why, and what would help. */
export type PurchaseCheck<P extends Priced> =
  | { canConfirm: true; character: Character; choice: P }
  | { canConfirm: false; reason: string; offer?: 'login' | 'activate' }
  | { canConfirm: false; reason: string; offer: 'recharge'; missing: number }

export function checkPurchase<P extends Priced>(
  { user, characters, character, choice, words }: Wish<P>,
  now_ms = serverNow(),
): PurchaseCheck<P> {
  if (!user) return { canConfirm: false, reason: words.loginFirst, offer: 'login' }
  if (isBanned(user, now_ms)) return { canConfirm: false, reason: copy.banned }
  if (!user.activated) return { canConfirm: false, reason: copy.notActivated, offer: 'activate' }
  if (characters?.length === 0) return { canConfirm: false, reason: copy.noCharacters }
  if (choice && choice.amount > user.balance) {
    const missing = choice.amount - user.balance
    return {
      canConfirm: false,
      reason: missingCopy.missing(formatNumber(missing)),
      offer: 'recharge',
      missing,
    }
  }
  if (!character || !choice) return { canConfirm: false, reason: words.incomplete }
  return { canConfirm: true, character, choice }
}
