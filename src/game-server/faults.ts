/**
 * What can go wrong with a call. `…-after` happens when the work is already done, `…-before` when nothing was done.
 * `slow` answers late, `busy` takes nothing in, `refuse` refuses a delivery for good, `flap` hangs up on everybody for a
 * moment.
 */
export const FAULTS = [
  'slow',
  'hang-before',
  'hang-after',
  'error-before',
  'error-after',
  'reset-before',
  'reset-after',
  'busy',
  'refuse',
  'flap',
] as const

export type Fault = (typeof FAULTS)[number]

/** Faults by chance: a share of all calls meets one of the kinds. The seed decides which, so that a run can be repeated. */
export type Weather = { kinds: Fault[]; rate: number; seed: number; slowMs: number }

export const FAIR_WEATHER: Weather = { kinds: [], rate: 0.2, seed: 1, slowMs: 2_000 }

/** `hang` stands for both its forms. Undefined for a word that is no fault. */
export function faultsNamed(words: readonly string[]): Fault[] | undefined {
  const kinds: Fault[] = []
  for (const word of words) {
    const named = FAULTS.filter((fault) => fault === word || fault.startsWith(`${word}-`))
    if (named.length === 0) return undefined
    kinds.push(...named)
  }
  return kinds
}

const AWAY_MS = { shortest: 300, longest: 1_500 }
/** Whoever flaps takes all calls of a moment along, so it comes a tenth as often as what meets one call. */
const FLAP_SHARE = 0.1
const QUEUE_MAX = 10_000

export class Faults {
  #weather: Weather
  #next: () => number
  /** For the next deliveries, whatever the weather. */
  #queue: Fault[] = []
  #awayUntil = 0
  /** Every answer waits this long. */
  delayMs = 0
  /** How many calls met each. */
  readonly met: Partial<Record<Fault, number>> = {}

  constructor(weather: Weather = FAIR_WEATHER) {
    this.#weather = weather
    this.#next = mulberry(weather.seed)
  }

  get weather(): Weather {
    return this.#weather
  }

  change(weather: Weather): void {
    this.#weather = weather
    this.#next = mulberry(weather.seed)
    if (weather.kinds.length === 0) {
      this.#awayUntil = 0
      this.#queue = []
    }
  }

  failNext(fault: Fault, times = 1): void {
    if (this.#queue.length + times > QUEUE_MAX) throw new RangeError(`at most ${QUEUE_MAX} faults wait`)
    for (let index = 0; index < times; index++) this.#queue.push(fault)
  }

  isAway(nowMs: number): boolean {
    return nowMs < this.#awayUntil
  }

  /** What this call meets, if anything, and how long it has to wait first. */
  meet({ isDelivery, nowMs }: { isDelivery: boolean; nowMs: number }): {
    fault: Fault | null
    waitMs: number
  } {
    const fault = (isDelivery ? this.#queue.shift() : undefined) ?? this.#chance(isDelivery)
    if (fault !== null) this.met[fault] = (this.met[fault] ?? 0) + 1
    if (fault === 'flap') {
      const { shortest, longest } = AWAY_MS
      this.#awayUntil = nowMs + shortest + this.#next() * (longest - shortest)
    }
    const waitMs = this.delayMs + (fault === 'slow' ? this.#next() * this.#weather.slowMs : 0)
    return { fault, waitMs }
  }

  #chance(isDelivery: boolean): Fault | null {
    const { kinds, rate } = this.#weather
    if (kinds.length === 0 || this.#next() >= rate) return null
    const fault = kinds[Math.floor(this.#next() * kinds.length)] as Fault
    if (fault === 'flap' && this.#next() >= FLAP_SHARE) return null
    return fault === 'refuse' && !isDelivery ? null : fault
  }
}

/** Numbers between 0 and 1 that depend on the seed alone (mulberry32). */
function mulberry(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
