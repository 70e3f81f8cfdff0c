import { ATTEMPT_STORAGE_KEY } from '#contract/constants.ts'

export type RetriedKind = 'exchange' | 'gift' | 'recharge'

/** A purchase that was sent and not answered yet, as it is stored for the time after a reload of this tab. */
export type UnansweredCall = {
  kind: RetriedKind
  playerId: string
  at_ms: number
  input: { body?: unknown; idempotencyKey?: string }
}

/** Of players who have signed in at this tab one after the other; the oldest ones go. */
const KEPT_MAX = 5

export function keepUnanswered(attempt: UnansweredCall): void {
  write([...readUnanswered(), attempt].slice(-KEPT_MAX))
}

export function forgetUnanswered({ playerId, input }: UnansweredCall): void {
  const isOther = (one: UnansweredCall) =>
    one.playerId !== playerId || one.input.idempotencyKey !== input.idempotencyKey
  write(readUnanswered().filter(isOther))
}

/** In the storage of the tab: another tab has purchases of its own. */
export function readUnanswered(): UnansweredCall[] {
  try {
    // The release before stored one alone, without a list.
    return [JSON.parse(sessionStorage.getItem(ATTEMPT_STORAGE_KEY) ?? '[]') as UnansweredCall[]].flat()
  } catch {
    return []
  }
}

function write(attempts: readonly UnansweredCall[]): void {
  try {
    if (attempts.length === 0) sessionStorage.removeItem(ATTEMPT_STORAGE_KEY)
    else sessionStorage.setItem(ATTEMPT_STORAGE_KEY, JSON.stringify(attempts))
  } catch {
    // Where storage is forbidden a reload does not go on with it; the list of purchases shows what was bought.
  }
}
