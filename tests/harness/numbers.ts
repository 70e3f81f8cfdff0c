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
