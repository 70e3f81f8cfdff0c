import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { lookAtEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { anAddress } from '#tests/support/players.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { inHundredths, median, quantile } from '../../harness/numbers.ts'
import { cpuMs, processesOf } from '../../harness/resources.ts'
import { readyRequest, steadyLoad } from '../steady-load.ts'

export type UncachedFigures = { nodeCpuMs: number; postgresCpuMs: number; p50Ms: number; p95Ms: number }

/** Of each kind of page before it is measured: a portal runs all day, and its code is compiled in the first minutes. */
const WARM_UP_PAGES = 2_000
/** By then the portal has the notice of what was committed; the pages that it rendered are counted. */
const NOTICE_MS = 15
const NOTICES_ALONE = 200

type Measured = {
  url: URL
  database: Client
  processes: Awaited<ReturnType<typeof processesOf>>
  metricsPort: number
}

/** How many pages were not there yet when they were requested. */
async function missesOf(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^portal_page_cache_total\{outcome="miss"\} (\d+)/m.exec(text)?.[1] ?? 0)
}

/**
 * Pages that are rendered for the request: before each round a notice says that the posts were changed, whereupon the
 * portal forgets every page and list that shows posts, and reads and renders them again. `paths` once in each round, one
 * after the other on one connection, each for the first time since the notice; that each was rendered is checked. What the
 * notice itself costs the portal, without any page, is taken off; PostgreSQL's time is that with its notice.
 */
async function rendered(
  { url, database, processes, metricsPort }: Measured,
  paths: readonly string[],
  pages: number,
): Promise<UncachedFigures> {
  const times: number[] = []
  const notify = async () => {
    await database.query(`SELECT pg_notify('content_changed', 'posts')`)
    await sleep(NOTICE_MS)
  }
  const spent = async () => [await cpuMs(processes.portal), await cpuMs(processes.postgres)] as const
  const first = await spent()
  for (let round = 0; round < NOTICES_ALONE; round++) await notify()
  const rounds = Math.ceil(pages / paths.length)
  const missesBefore = await missesOf(metricsPort)
  const before = await spent()
  for (let round = 0; round < rounds; round++) {
    await notify()
    const address = anAddress()
    const { latenciesMs, failed, statuses } = await steadyLoad({
      url,
      next: (count) => readyRequest({ path: paths[count] ?? '/', address }),
      connections: 1,
      answers: paths.length,
    })
    if (failed > 0) throw new Error(`${paths[0]} was answered ${JSON.stringify(statuses)}`)
    times.push(...latenciesMs)
  }
  const after = await spent()
  const node = after[0] - before[0] - ((before[0] - first[0]) * rounds) / NOTICES_ALONE
  const postgres = after[1] - before[1]
  const misses = (await missesOf(metricsPort)) - missesBefore
  // A request can still overtake its notice now and then.
  if (misses < 0.99 * times.length) throw new Error(`${misses} of ${times.length} pages were rendered`)
  return {
    nodeCpuMs: inHundredths(node / times.length),
    postgresCpuMs: inHundredths(postgres / times.length),
    p50Ms: inHundredths(median(times)),
    p95Ms: inHundredths(quantile(times, 0.95)),
  }
}

/** What such pages cost, in CPU time of the portal and of PostgreSQL apart. */
export async function uncachedPages(
  portal: PortalProcess,
  { pages, metricsPort }: { pages: number; metricsPort: number },
): Promise<Record<'/home' | '/post/{id}', UncachedFigures>> {
  const found = await lookAtEmbeddedPostgres(portal.dataDir)
  if (typeof found === 'string') throw new Error('the portal has no database of its own')
  const database = new Client({ connectionString: found.url })
  await database.connect()
  try {
    const posts = (await (await fetch(`${portal.url}/api/posts?limit=50`)).json()) as { id: string }[]
    const postPaths = posts.map(({ id }) => `/post/${id}`)
    const measured = { url: new URL(portal.url), database, processes: await processesOf(portal), metricsPort }
    await rendered(measured, ['/home'], WARM_UP_PAGES)
    await rendered(measured, postPaths, WARM_UP_PAGES)
    return {
      '/home': await rendered(measured, ['/home'], pages),
      '/post/{id}': await rendered(measured, postPaths, pages),
    }
  } finally {
    await database.end()
  }
}
