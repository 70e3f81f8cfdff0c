import { useQuery } from '#web/use-query.ts'
import { PASSWORD_LENGTH } from '#contract/fields.ts'
import {
  type GameLimits,
  type getGameLimits,
  hasAllLetters,
  lettersInWords,
  nameLengthOf,
  passwordLengthOf,
} from '#contract/game/limits.ts'
import { openQuery } from '#web/query-client.ts'

const gameLimitsQuery = openQuery<typeof getGameLimits>('/game-limits')

const NONE: GameLimits = {}

/** What the game takes; until that is known no limits, and the server refuses what breaks them. */
export const useGameLimits = (): GameLimits => useQuery(gameLimitsQuery).data ?? NONE

export function usernameHint(limits: GameLimits): string {
  const { least, most } = nameLengthOf(limits)
  const count = least === most ? least : `${least}–${most}`
  const letters = hasAllLetters(limits) ? 'chữ không dấu hoặc số' : `ký tự trong ${lettersInWords(limits)}`
  return `${count} ${letters}.`
}

export function passwordHint(limits: GameLimits): string {
  const { least, most } = passwordLengthOf(limits)
  return least === most ? `Đúng ${least} ký tự.` : `Từ ${least} đến ${most} ký tự.`
}

export function isPasswordNarrowed(limits: GameLimits): boolean {
  const { least, most } = passwordLengthOf(limits)
  return least > PASSWORD_LENGTH.least || most < PASSWORD_LENGTH.most
}
