/**
 * What can go wrong with a call. `…-after` happens when the work is already done, `…-before` when nothing was done.
 * `slow` answers late, `busy` processes nothing, `refuse` refuses a delivery or charge for good, `flap` closes all
 * connections for a moment.
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
export type FaultSettings = { kinds: Fault[]; rate: number; seed: number; slowMs: number }

export const NO_FAULTS: FaultSettings = { kinds: [], rate: 0.2, seed: 1, slowMs: 2_000 }

/** `hang` selects both its forms. Undefined for an unknown name. */
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
/** `flap` affects all calls of a moment, so it is ten times rarer than the faults of a single call. */
const FLAP_SHARE = 0.1
const QUEUE_MAX = 10_000

export class Faults {
  #settings: FaultSettings
  #next: () => number
  /** For the next deliveries and charges, whatever the configuration. */
  #queue: Fault[] = []
  #awayUntil = 0
  /** Delay of every answer. */
  delayMs = 0
  /** How many calls met each. */
  readonly met: Partial<Record<Fault, number>> = {}

  constructor(settings: FaultSettings = NO_FAULTS) {
    this.#settings = settings
    this.#next = mulberry(settings.seed)
  }

  get settings(): FaultSettings {
    return this.#settings
  }

  change(settings: FaultSettings): void {
    this.#settings = settings
    this.#next = mulberry(settings.seed)
    if (settings.kinds.length === 0) {
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
    const waitMs = this.delayMs + (fault === 'slow' ? this.#next() * this.#settings.slowMs : 0)
    return { fault, waitMs }
  }

  #chance(isDelivery: boolean): Fault | null {
    const { kinds, rate } = this.#settings
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
