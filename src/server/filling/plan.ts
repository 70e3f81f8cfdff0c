/** What is made: so many players with so many lines in each one's statement, until `now`. The same seed gives the same rows. */
export type Plan = { players: number; entries: number; seed: number; now: Date }

/** What the filled database has already: its servers, its own ledger accounts by kind, the hash of everyone's password. */
export type Ground = {
  servers: readonly string[]
  house: ReadonlyMap<string, readonly number[]>
  passwordHash: string
}

/** How long before `now` the first player registered. */
export const SPAN_MS = 60 * 86_400_000

/** A number below 2³² that depends on the seed, on which row it is for and on what of it. */
export function drawn(plan: Pick<Plan, 'seed'>, row: number, what: number): number {
  let mixed = (plan.seed ^ Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(what + 1, 0x85ebca6b)) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

export const oneOf = <Value>(values: readonly Value[], number: number): Value =>
  values[number % values.length] as Value
