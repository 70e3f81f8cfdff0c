import { SERVER_TIME_HEADER } from '#contract/constants.ts'
import { createStore } from './store.ts'

/** How far the estimate and the truth may grow apart: clocks of devices lose or gain a second in some hours. */
const DRIFT = 0.000_1

type Sample = {
  /** What is added to `performance.now()`, which does not change when somebody sets the device's clock. */
  offset_ms: number
  /** By how much it may be wrong: the server told its time somewhere on the way of the call. */
  doubt_ms: number
  at_ms: number
}

let sample: Sample | null = null

/** Smaller corrections are nothing to render a page again for. */
const JUMP_MS = 500

const jumps = createStore(0)

/**
 * The server's time, in milliseconds as `Date.now()` has them: what is open, over or due is decided by the server, and players'
 * phones are wrong by minutes or days. Until the server has told it, it is the device's.
 */
export function serverNow(): number {
  return sample ? Math.round(performance.now() + sample.offset_ms) : Date.now()
}

/** For those who want to hear when the server's time turns out to be another one. */
export const serverClock = { subscribe: jumps.subscribe }

export const isClockKnown = (): boolean => sample !== null

/** Takes the time that a call was answered with, begun at `began_ms` of `performance.now()`. */
export function takeServerTime(headers: Headers, began_ms: number): void {
  const server_ms = Number(headers.get(SERVER_TIME_HEADER))
  if (!server_ms) return
  const at_ms = performance.now()
  const doubt_ms = (at_ms - began_ms) / 2
  const next: Sample = { offset_ms: server_ms + doubt_ms - at_ms, doubt_ms, at_ms }
  const known = sample
  if (known && !isBetter(next, known)) return
  sample = next
  if (!known || Math.abs(next.offset_ms - known.offset_ms) > JUMP_MS) jumps.set(jumps.get() + 1)
}

/** More exact, or a proof that the known one is wrong: `performance.now()` stands still while some devices sleep. */
function isBetter(next: Sample, known: Sample): boolean {
  const doubt_ms = known.doubt_ms + (next.at_ms - known.at_ms) * DRIFT
  return next.doubt_ms <= doubt_ms || Math.abs(next.offset_ms - known.offset_ms) > next.doubt_ms + doubt_ms
}
