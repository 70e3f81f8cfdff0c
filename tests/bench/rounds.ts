import { median, quantile } from '../harness/numbers.ts'

/**
 * Runs each side once for nothing, so that connections, caches and compiled code are there for every measurement; then so
 * many rounds of all sides, in reverse order every other time.
 */
export async function inRounds<Runs extends Record<string, unknown>>(
  rounds: number,
  sides: { [Name in keyof Runs]: () => Promise<Runs[Name]> },
): Promise<{ [Name in keyof Runs]: Runs[Name][] }> {
  const names = Object.keys(sides) as (keyof Runs)[]
  for (const name of names) await sides[name]()
  const runs = {} as { [Name in keyof Runs]: Runs[Name][] }
  for (const name of names) runs[name] = []
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) runs[name].push(await sides[name]())
  return runs
}

/** The median of each figure. */
export function mediansOf<Run extends Record<string, number>>(runs: readonly Run[]): Run {
  const names = Object.keys(runs[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run[name] ?? NaN))])) as Run
}

/** The median of how many times as much a figure is in the first run of each pair as in the second. */
export const ratioOf = <Figure extends string>(
  figure: Figure,
  ones: readonly Record<Figure, number>[],
  others: readonly Record<Figure, number>[],
) => median(ones.map((one, pair) => one[figure] / (others[pair]?.[figure] ?? NaN)))

/** How much longer the second of each pair took. It may take so many times as long, or so many milliseconds longer. */
export function slowerBy(
  ones: readonly number[],
  others: readonly number[],
  max: { ratio: number; ms: number },
) {
  const ratio = median(others.map((ms, pair) => ms / (ones[pair] ?? NaN)))
  const differenceMs = median(others.map((ms, pair) => ms - (ones[pair] ?? NaN)))
  return { ratio, differenceMs, isWithin: ratio <= max.ratio || differenceMs <= max.ms }
}

export type Rate = { perSecond: number; p50Ms: number; p99Ms: number }

export const rateOf = (latenciesMs: readonly number[], ms: number): Rate => ({
  perSecond: (latenciesMs.length * 1_000) / ms,
  p50Ms: median(latenciesMs),
  p99Ms: quantile(latenciesMs, 0.99),
})

/** So many clients, each of which works without pause for so long. */
export async function rateAtOnce(clients: number, ms: number, work: () => Promise<unknown>): Promise<Rate> {
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
  return rateOf(latenciesMs, performance.now() - start)
}
