import { usernameOf } from '#server/filling/names.ts'
import type { PortalProcess } from '#tests/support/portal-process.ts'
import { anOperator, databaseOf, type Call } from './bench-operator.ts'
import { listsOf, valuesFor, withQuery, type ListRow } from '#tests/support/list-questions.ts'
import { inMs, median, quantile, withBenchPortal, type Size } from './bench-portal.ts'

const LIMIT_MS = 150
const STEPS = 40
/** Player 5,000 of those the database is filled with. */
const USERNAME = usernameOf({ seed: 1 }, 4_999)

export type ConsoleReport = {
  size: Size
  /** The median of a call that reads one session: what everything else costs beside the list. */
  yardstick_ms: number
  /** The slowest questions first. */
  slowest: { question: string; p95_ms: number }[]
  questions: number
  isWithin: boolean
}

/** Every list of the console on a filled database: its first page, each filter, and the 40th step by key; search and trail. */
export async function benchConsole({ size, runs }: { size: Size; runs: number }): Promise<ConsoleReport> {
  const measureAll = async (portal: PortalProcess): Promise<ConsoleReport> => {
    const ask = await anOperator(portal, await databaseOf(portal))
    const answers = new Map<string, number[]>()
    const measure = async (question: string): Promise<Call> => {
      let last: Call | undefined
      for (let run = 0; run < runs; run++) {
        last = await ask(question)
        if (last.status !== 200)
          throw new Error(`${question} answers ${last.status}: ${JSON.stringify(last.body)}`)
        answers.set(question, [...(answers.get(question) ?? []), last.ms])
      }
      return last as Call
    }
    for (const { path, filters } of listsOf((await ask('/openapi.json')).body)) {
      const first = await measure(path)
      for (const filter of filters)
        for (const value of valuesFor(path, filter, first.body as ListRow[]))
          await measure(withQuery(path, { filter: { [filter[0]]: value } }))
      let { next } = first
      for (let step = 1; step < STEPS && next !== null; step++)
        ({ next } = await ask(withQuery(path, { after: next })))
      if (next !== null) await measure(withQuery(path, { after: next }))
    }
    for (const question of OF_ONE_PLAYER) await measure(question)
    const yardstick: number[] = []
    for (let run = 0; run < 50; run++) yardstick.push((await ask('/operator/me')).ms)
    const judged = [...answers]
      .map(([question, samples]) => ({ question, p95_ms: inMs(quantile(samples, 0.95)) }))
      .toSorted((one, other) => other.p95_ms - one.p95_ms)
    return {
      size,
      yardstick_ms: inMs(median(yardstick)),
      slowest: judged.slice(0, 10),
      questions: judged.length,
      isWithin: judged.every(({ p95_ms }) => p95_ms < LIMIT_MS),
    }
  }
  return withBenchPortal(measureAll, { size })
}

/** What is no list: the search box, a player, and their trail from its beginning and from a year ago. */
const OF_ONE_PLAYER = [
  `/operator/search?q=${USERNAME}`,
  '/operator/search?q=tuan',
  '/operator/search?q=TCXAA',
  '/operator/search?q=FT0000500',
  '/operator/users/5000',
  '/operator/users/5000/trail',
  `/operator/users/5000/trail?before=${Date.now() - 30 * 86_400_000}000`,
]
