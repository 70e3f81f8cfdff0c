import { inHundredths, median } from './bench-portal.ts'

export type Name = 'before' | 'present'
export type Figures<One> = { before: One; present: One; medianRatio: number; ratios: number[] }

/** Measures both sides `pairs` times, each of them first in every other pair; the ratio is that of a pair's rates. */
export async function inPairs<One extends { perSecond: number }>(
  pairs: number,
  measure: (name: Name) => Promise<One>,
): Promise<Figures<One>> {
  const taken: Record<Name, One[]> = { before: [], present: [] }
  for (let pair = 0; pair < pairs; pair++) {
    const names: Name[] = pair % 2 === 0 ? ['before', 'present'] : ['present', 'before']
    for (const name of names) taken[name].push(await measure(name))
  }
  const ratios = taken.present.map(
    (one, pair) => one.perSecond / (taken.before[pair]?.perSecond ?? Number.NaN),
  )
  return {
    before: middle(taken.before),
    present: middle(taken.present),
    medianRatio: inHundredths(median(ratios)),
    ratios: ratios.map(inHundredths),
  }
}

/** The run whose rate is the median. */
function middle<One extends { perSecond: number }>(runs: readonly One[]): One {
  const sorted = runs.toSorted((one, other) => one.perSecond - other.perSecond)
  return sorted[Math.floor(sorted.length / 2)] as One
}
