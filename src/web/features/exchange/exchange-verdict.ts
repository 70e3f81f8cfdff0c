import type { AmountOption, Character } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format-number.ts'
import type { User } from '#contract/users.ts'
import { exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import { isBanned } from '#web/shell/player-banner.tsx'

export type Wish = {
  user: User | null
  /** Null while they are not known yet. */
  characters: readonly Character[] | null
  character: Character | undefined
  option: AmountOption | undefined
}

/** Whether the exchange may be confirmed; when not, why, and what would help. */
export type ExchangeVerdict =
  | { canConfirm: true; character: Character; option: AmountOption }
  | { canConfirm: false; reason: string; offer?: 'login' | 'activate' | 'recharge' }

export function judgeExchange(
  { user, characters, character, option }: Wish,
  now_ms = Date.now(),
): ExchangeVerdict {
  if (!user) return { canConfirm: false, reason: copy.loginFirst, offer: 'login' }
  if (isBanned(user, now_ms)) return { canConfirm: false, reason: copy.banned }
  if (!user.activated) return { canConfirm: false, reason: copy.notActivated, offer: 'activate' }
  if (characters?.length === 0) return { canConfirm: false, reason: copy.noCharacters }
  if (option && option.amount > user.balance) {
    return {
      canConfirm: false,
      reason: copy.missing(formatNumber(option.amount - user.balance)),
      offer: 'recharge',
    }
  }
  if (!character || !option) return { canConfirm: false, reason: copy.incomplete }
  return { canConfirm: true, character, option }
}
