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
