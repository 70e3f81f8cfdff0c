export type Random = { below(bound: number): number; pick<T>(list: readonly T[]): T }

/** Numbers that depend on the seed alone (mulberry32), so that a run can be repeated. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] }
}

/** The value below which `share` of the samples lie. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (samples: readonly number[]) => quantile(samples, 0.5)

export const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0)

export const inMs = (value: number) => Math.round(value * 10) / 10

export const inHundredths = (value: number) => Math.round(value * 100) / 100

/** Since a moment of `performance.now()`, in tenths. */
export const secondsSince = (began: number) => inMs((performance.now() - began) / 1_000)

/** How often each of them is there. */
export function countsOf<Kind>(kinds: Iterable<Kind>): Map<Kind, number> {
  const counts = new Map<Kind, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** Measures two subjects `pairs` times in turn, each of them first in every other pair. */
export async function inTurn<One>(
  pairs: number,
  one: () => Promise<One>,
  other: () => Promise<One>,
): Promise<[One[], One[]]> {
  const taken: [One[], One[]] = [[], []]
  for (let pair = 0; pair < pairs; pair++) {
    const takeOne = async () => taken[0].push(await one())
    const takeOther = async () => taken[1].push(await other())
    for (const take of pair % 2 === 0 ? [takeOne, takeOther] : [takeOther, takeOne]) await take()
  }
  return taken
}

export type Name = 'before' | 'present'
export type Figures<One> = { before: One; present: One; medianRatio: number; ratios: number[] }

/** The ratio is that of a pair's rates. */
export async function inPairs<One extends { perSecond: number }>(
  pairs: number,
  measure: (name: Name) => Promise<One>,
): Promise<Figures<One>> {
  const [before, present] = await inTurn(
    pairs,
    () => measure('before'),
    () => measure('present'),
  )
  const ratios = present.map((one, pair) => one.perSecond / (before[pair]?.perSecond ?? Number.NaN))
  return {
    before: middle(before),
    present: middle(present),
    medianRatio: inHundredths(median(ratios)),
    ratios: ratios.map(inHundredths),
  }
}

/** The run whose rate is the median. */
function middle<One extends { perSecond: number }>(runs: readonly One[]): One {
  const sorted = runs.toSorted((one, other) => one.perSecond - other.perSecond)
  return sorted[Math.floor(sorted.length / 2)] as One
}

/** How much longer the second of each pair took. It may take so many times as long, or so many milliseconds longer. */
export function slowerBy(
  one: readonly number[],
  other: readonly number[],
  max: { ratio: number; ms: number },
): { medianRatio: number; medianDifferenceMs: number; isWithin: boolean } {
  const ratio = median(other.map((ms, pair) => ms / (one[pair] ?? Number.NaN)))
  const difference = median(other.map((ms, pair) => ms - (one[pair] ?? Number.NaN)))
  return {
    medianRatio: inHundredths(ratio),
    medianDifferenceMs: inHundredths(difference),
    isWithin: ratio <= max.ratio || difference <= max.ms,
  }
}

export type Rate = { perSecond: number; p50Ms: number; p99Ms: number }

export const rateOf = (latenciesMs: readonly number[], ms: number): Rate => ({
  perSecond: Math.round((latenciesMs.length * 1_000) / ms),
  p50Ms: inMs(median(latenciesMs)),
  p99Ms: inMs(quantile(latenciesMs, 0.99)),
})

/** So many clients at once, each of which works without pause for so long; answers how long each piece of work took. */
export async function atOnce(
  clients: number,
  ms: number,
  work: () => Promise<unknown>,
): Promise<{ latenciesMs: number[]; ms: number }> {
  const latenciesMs: number[] = []
  const start = performance.now()
  const client = async () => {
    while (performance.now() - start < ms) {
      const begun = performance.now()
      await work()
      latenciesMs.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { latenciesMs, ms: performance.now() - start }
}
