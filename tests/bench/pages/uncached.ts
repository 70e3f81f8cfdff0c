import { Client } from 'pg'
import { lookAtEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { anAddress } from '#tests/support/addresses.ts'
import type { PortalProcess } from '#tests/support/portal-process.ts'
import { inHundredths, median, quantile } from '../bench-portal.ts'
import { cpuMs, processesOf } from '../cpu-time.ts'
import { readOf, steadyLoad } from './steady-load.ts'

export type UncachedFigures = { nodeCpuMs: number; postgresCpuMs: number; p50Ms: number; p95Ms: number }

type Processes = Awaited<ReturnType<typeof processesOf>>

/** After each notice that content was changed, the pages are rendered again: `paths` once each, one after the other. */
async function rendered(
  portal: PortalProcess,
  paths: readonly string[],
  { rounds, database, processes }: { rounds: number; database: Client; processes: Processes },
): Promise<UncachedFigures> {
  const url = new URL(portal.url)
  const times: number[] = []
  const before = [await cpuMs(processes.portal), await cpuMs(processes.postgres)] as const
  for (let round = 0; round < rounds; round++) {
    await database.query(`SELECT pg_notify('content_changed', 'posts')`)
    const address = anAddress()
    const { statuses } = await steadyLoad({
      url,
      next: (count) => readOf(paths[count] ?? '/', address),
      connections: 1,
      answers: paths.length,
      onAnswer: ({ ms }) => times.push(ms),
    })
    if (statuses[200] !== paths.length)
      throw new Error(`${paths[0]} was answered ${JSON.stringify(statuses)}`)
  }
  const pages = Math.max(1, times.length)
  const [node, postgres] = [
    (await cpuMs(processes.portal)) - before[0],
    (await cpuMs(processes.postgres)) - before[1],
  ]
  return {
    nodeCpuMs: inHundredths(node / pages),
    postgresCpuMs: inHundredths(postgres / pages),
    p50Ms: inHundredths(median(times)),
    p95Ms: inHundredths(quantile(times, 0.95)),
  }
}

/** What pages cost that are rendered for the one who asks, in CPU time of the portal and of PostgreSQL apart. */
export async function uncachedPages(
  portal: PortalProcess,
  { rounds }: { rounds: number },
): Promise<Record<'/home' | '/post/{id}', UncachedFigures>> {
  const found = await lookAtEmbeddedPostgres(portal.dataDir)
  if (typeof found === 'string') throw new Error('the portal has no database of its own')
  const database = new Client({ connectionString: found.url })
  await database.connect()
  try {
    const posts = (await (await fetch(`${portal.url}/api/posts?limit=50`)).json()) as { id: string }[]
    const paths = posts.map(({ id }) => `/post/${id}`)
    const processes = await processesOf(portal)
    const measure = (those: readonly string[], times: number) =>
      rendered(portal, those, { rounds: times, database, processes })
    await measure(['/home'], 20)
    await measure(paths, 5)
    return {
      '/home': await measure(['/home'], rounds),
      '/post/{id}': await measure(paths, Math.ceil(rounds / paths.length)),
    }
  } finally {
    await database.end()
  }
}
