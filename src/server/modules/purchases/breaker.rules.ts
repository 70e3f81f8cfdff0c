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
