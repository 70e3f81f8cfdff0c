/** What was last said of an alarm that goes on; null while there is none. */
export type Told = { beganAt: Date; count: number; toldAt: Date }

export type Saying = 'begins' | 'grows' | 'repeats' | 'ends'

const MINUTE_MS = 60_000
/** An alarm that goes on is repeated, so that one message that is overlooked is not the last. */
const REPEAT_MS = 60 * MINUTE_MS
/** One that grows and grows is not told of each minute. */
const GROW_MS = 10 * MINUTE_MS

/** What is to be said now that an alarm counts this much; null: nothing new. */
export function whatToSay(told: Told | null, count: number, now: Date): Saying | null {
  if (told === null) return count > 0 ? 'begins' : null
  if (count === 0) return 'ends'
  const silentMs = now.getTime() - told.toldAt.getTime()
  if (silentMs >= REPEAT_MS) return 'repeats'
  return count > told.count && silentMs >= GROW_MS ? 'grows' : null
}

const FIRST_DELAY_SECONDS = 5
const DELAY_SECONDS_MAX = 300
/** About three hours. A message that goes on being true is made anew each hour anyway. */
const ATTEMPTS_MAX = 40

/** Seconds until a message is sent again after so many attempts; null when it is given up. */
export function secondsUntilNext(attempt: number): number | null {
  if (attempt >= ATTEMPTS_MAX) return null
  return Math.min(DELAY_SECONDS_MAX, FIRST_DELAY_SECONDS * 2 ** (attempt - 1))
}
