import { usernameOf } from '#server/filling/plan.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import type { Answer } from '../harness/client.ts'
import { inMs, median, quantile } from '../harness/numbers.ts'
import { anOperator, databaseOf, type Size, withBenchPortal } from './bench-portal.ts'
import { listsOf, valuesFor, withQuery, type ListRow } from '#tests/support/operator-api.ts'

const LIMIT_MS = 150
const STEPS = 40
/** Player 5,000 of those the database is filled with. */
const USERNAME = usernameOf({ seed: 1 }, 4_999)

/** Every list of the console on a filled database: its first page, each filter, and the 40th step by key; search and trail. */
export async function benchConsole({ size, runs }: { size: Size; runs: number }) {
  const measureAll = async (portal: PortalProcess) => {
    const send = await anOperator(portal, await databaseOf(portal))
    const answers = new Map<string, number[]>()
    const measure = async (question: string): Promise<Answer> => {
      const taken: Answer[] = []
      while (taken.length < runs) taken.push(await send(question))
      answers.set(
        question,
        taken.map(({ ms }) => ms),
      )
      return taken.at(-1) as Answer
    }
    for (const { path, filters } of listsOf((await send('/openapi.json')).body)) {
      const first = await measure(path)
      for (const filter of filters)
        for (const value of valuesFor(path, filter, first.body as ListRow[]))
          await measure(withQuery(path, { filter: { [filter[0]]: value } }))
      let next = nextAfter(first)
      for (let step = 1; step < STEPS && next !== null; step++)
        next = nextAfter(await send(withQuery(path, { after: next })))
      if (next !== null) await measure(withQuery(path, { after: next }))
    }
    for (const question of OF_ONE_PLAYER) await measure(question)
    const yardstick: number[] = []
    for (let run = 0; run < 50; run++) yardstick.push((await send('/operator/me')).ms)
    const rows = [...answers]
      .map(([question, samples]) => ({ question, p95_ms: inMs(quantile(samples, 0.95)) }))
      .toSorted((one, other) => other.p95_ms - one.p95_ms)
    return {
      size,
      // What everything else costs beside the list.
      yardstick_ms: inMs(median(yardstick)),
      slowest: rows.slice(0, 10),
      questions: rows.length,
      isWithin: rows.every(({ p95_ms }) => p95_ms < LIMIT_MS),
    }
  }
  return withBenchPortal(measureAll, { size })
}

const nextAfter = ({ headers }: Answer) => (headers['x-next-after'] as string | undefined) ?? null

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
