import type { DeliveryStatus } from '#contract/deliveries.ts'

export type DeliveryState = 'pending' | 'sending' | 'unknown' | 'parked' | 'delivered' | 'refunded'

/** The result of one attempt: the game's outcomes, and `cancelled` when its cancellation was found. */
export type AttemptResult =
  | { kind: 'applied' | 'cancelled' | 'conflict' }
  | { kind: 'refused'; reason: string }
  | { kind: 'not-received' | 'unknown'; cause: string }

export type NextStep =
  | { state: 'delivered' }
  | { state: 'refunded' | 'parked'; note: string }
  | { state: 'pending' | 'unknown'; delaySeconds: number; note: string }

const ATTEMPTS_MAX = 200
const AGE_MAX_SECONDS = 24 * 60 * 60
/** What is a day old by a clock that jumped was tried less often. */
const ATTEMPTS_OF_A_DAY = 10
const DOUBLED_SECONDS_MAX = 300
const NOTE_LENGTH_MAX = 300

type Tried = { attempt: number; ageSeconds: number; chance: number }

const DELAY_OF_YOUNG_SECONDS = 60
/** What failed together does not come back together: each waits by up to so much more or less. */
const SPREAD = 0.2
export const DELAY_SECONDS_MAX = DOUBLED_SECONDS_MAX * (1 + SPREAD)

/**
 * 1, 2, 4 … 300 s, a fifth more or less. More than a minute is
 * never longer than half of the time since the purchase: after a short disturbance with many attempts nobody waits for
 * long.
 */
export function delaySeconds({ attempt, ageSeconds, chance }: Tried): number {
  const doubled = Math.min(DOUBLED_SECONDS_MAX, 2 ** Math.min(attempt - 1, 16))
  return (
    Math.min(doubled, Math.max(DELAY_OF_YOUNG_SECONDS, ageSeconds / 2)) * (1 - SPREAD + 2 * SPREAD * chance)
  )
}

/**
 * The next state after an attempt. Coins go back only when the game itself refuses for good (a refusal, a cancellation):
 * what may have arrived is queried or sent again, and in the end left to an operator, never refunded by a timer.
 */
export function nextStep(result: AttemptResult, tried: Tried): NextStep {
  switch (result.kind) {
    case 'applied':
      return { state: 'delivered' }
    case 'cancelled':
      return { state: 'refunded', note: 'cancelled' }
    case 'refused':
      return { state: 'refunded', note: shortened(result.reason) }
    case 'conflict':
      // The game knows this id with other goods: only a person can find out why.
      return { state: 'parked', note: 'conflict' }
    case 'not-received':
    case 'unknown': {
      const note = shortened(result.cause)
      if (
        tried.attempt >= ATTEMPTS_MAX ||
        (tried.ageSeconds >= AGE_MAX_SECONDS && tried.attempt >= ATTEMPTS_OF_A_DAY)
      )
        return { state: 'parked', note }
      return {
        state: result.kind === 'unknown' ? 'unknown' : 'pending',
        delaySeconds: delaySeconds(tried),
        note,
      }
    }
  }
}

/** Notes contain texts of the game, which may contain anything; PostgreSQL takes no NUL, and the outcome would be lost with it. */
export const shortened = (note: string) => note.replaceAll('\u0000', '').slice(0, NOTE_LENGTH_MAX)

/** Whether a text can be the id of a delivery; the database would refuse any other. */
export const isDeliveryId = (text: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** The player sees three states only. */
export function statusOf(state: DeliveryState): DeliveryStatus {
  return state === 'delivered' || state === 'refunded' ? state : 'pending'
}

/** The game's reasons why goods could not be handed over, worded for players. */
const REFUND_REASONS = new Map([
  ['no-such-character', 'Nhân vật không còn trong game.'],
  ['bag-full', 'Túi đồ của nhân vật đã đầy.'],
  ['over-limit', 'Nhân vật không giữ được nhiều đến thế.'],
  ['cancelled', 'Đội vận hành đã hủy lượt giao này.'],
])

/** Other reasons stay in the log: they are written for developers and differ from game to game. */
export function refundReason(note: string | null): string {
  return REFUND_REASONS.get(note ?? '') ?? 'Máy chủ game từ chối nhận hàng.'
}

/**
 * Spares a game that does not answer: after five failures in a row only one delivery every ten seconds goes out, until
 * one is answered. Times are milliseconds of a clock that never jumps.
 */
export type Breaker = { failuresInRow: number; probeAtMs: number }

export const closedBreaker: Breaker = { failuresInRow: 0, probeAtMs: 0 }

export const FAILURES_MAX = 5
const PROBE_INTERVAL_MS = 10_000

export const isOpen = (breaker: Breaker) => breaker.failuresInRow >= FAILURES_MAX

/** How many deliveries may be sent now, of as many as there is room for. */
export function sendsAllowed(breaker: Breaker, nowMs: number, room: number): number {
  if (!isOpen(breaker)) return room
  return nowMs >= breaker.probeAtMs ? Math.min(1, room) : 0
}

/** The breaker after sending began. */
export function afterSending(breaker: Breaker, nowMs: number): Breaker {
  return isOpen(breaker) ? { ...breaker, probeAtMs: nowMs + PROBE_INTERVAL_MS } : breaker
}

/** The breaker after an attempt ended. */
export function afterAttempt(breaker: Breaker, wasAnswered: boolean, nowMs: number): Breaker {
  if (wasAnswered) return closedBreaker
  const failuresInRow = breaker.failuresInRow + 1
  // The moment it opens starts the first wait; later failures are those of probes and of what was still under way.
  const probeAtMs = failuresInRow === FAILURES_MAX ? nowMs + PROBE_INTERVAL_MS : breaker.probeAtMs
  return { failuresInRow, probeAtMs }
}
