import { inHundredths, median } from './bench-portal.ts'

export type Name = 'before' | 'present'
export type Figures<One> = { before: One; present: One; medianRatio: number; ratios: number[] }

/** Measures two sides `pairs` times in turn, each of them first in every other pair. */
export async function inTurn<Side>(
  pairs: number,
  one: () => Promise<Side>,
  other: () => Promise<Side>,
): Promise<[Side[], Side[]]> {
  const taken: [Side[], Side[]] = [[], []]
  for (let pair = 0; pair < pairs; pair++) {
    const takeOne = async () => taken[0].push(await one())
    const takeOther = async () => taken[1].push(await other())
    for (const take of pair % 2 === 0 ? [takeOne, takeOther] : [takeOther, takeOne]) await take()
  }
  return taken
}

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
