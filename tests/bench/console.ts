import { operatorStatistics, STATISTICS_DIMENSIONS } from '#contract/operator/statistics.ts'
import { usernameOf } from '#server/filling/plan.ts'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { listsOf, valuesFor, withQuery, type ListRow } from '#tests/support/operator-api.ts'
import type { Answer } from '../harness/client.ts'
import { quantile } from '../harness/numbers.ts'
import { anOperator, type Size, withBenchPortal } from './bench-portal.ts'

const STEPS = 40
/** Player 5,000 of those the database is filled with. */
const USERNAME = usernameOf({ seed: 1 }, 4_999)
/** What everything else costs beside a list. */
const YARDSTICK = '/operator/me'

/** Every list of the console on a filled database: its first page, each filter, and the 40th step by key; search, trail, overview. */
export const benchConsole = ({ size, runs }: { size: Size; runs: number }) =>
  withBenchPortal(
    async (portal) => {
      const send = await anOperator(portal, portal.databaseUrl)
      const p95Of = new Map<string, number>()
      const measure = async (question: string): Promise<Answer> => {
        const taken: Answer[] = []
        while (taken.length < runs) taken.push(await send(question))
        const times = taken.map(({ ms }) => ms)
        p95Of.set(question, quantile(times, 0.95))
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
      for (const question of [...OF_ONE_PLAYER, ...ofTheOverview(), YARDSTICK]) await measure(question)
      const slowest = [...p95Of]
        .map(([question, p95Ms]) => ({ question, p95Ms }))
        .toSorted((one, other) => other.p95Ms - one.p95Ms)
        .slice(0, 10)
      return { size, yardstickMs: p95Of.get(YARDSTICK), slowest, questions: p95Of.size }
    },
    { size },
  )

const nextAfter = ({ headers }: Answer) => (headers['x-next-after'] as string | undefined) ?? null

/** What is no list: the search box, a player, and their trail from its beginning and from a month ago. */
const OF_ONE_PLAYER = [
  `/operator/search?q=${USERNAME}`,
  '/operator/search?q=tuan',
  '/operator/search?q=TCXAA',
  '/operator/search?q=FT0000500',
  '/operator/users/5000',
  '/operator/users/5000/trail',
  `/operator/users/5000/trail?before=${Date.now() - 30 * 86_400_000}000`,
]

const DAY_MS = 86_400_000

/** What the overview reads of 90 days. */
function ofTheOverview(): string[] {
  const from = vietnamDay(new Date(Date.now() - 89 * DAY_MS))
  const span = `from=${from}&to=${vietnamDay(new Date())}`
  const { read, parts, hours, cohorts } = operatorStatistics
  return [
    '/operator/alarms',
    `${read.path}?${span}&by=day`,
    ...STATISTICS_DIMENSIONS.map((of) => `${parts.path}?${span}&by=day&of=${of}`),
    `${hours.path}?${span}`,
    cohorts.path,
  ]
}
