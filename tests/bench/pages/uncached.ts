import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { asOwner } from '#server/platform/db/owner.ts'
import { anAddress } from '#tests/support/players.ts'
import { median, quantile } from '../../harness/numbers.ts'
import { cpuMs, processesOf } from '../../harness/resources.ts'
import type { BenchPortal } from '../bench-portal.ts'
import type { Answering } from '../plain-server.ts'
import { readyRequest, steadyLoad } from '../steady-load.ts'

/** Of each kind of page before it is measured: a portal runs all day, and its code is compiled in the first minutes. */
const WARM_UP_PAGES = 2_000
const PAGES = 600
/** By then the portal has the notice of what was committed; the pages that it rendered are counted. */
const NOTICE_MS = 15
const NOTICES_ALONE = 200

/**
 * What pages that are rendered for the request cost, in CPU time of the portal and of PostgreSQL apart, and what as many
 * requests cost the plain server, which answers `/home`: each on a connection of its own after the same rest, in which
 * processor and caches cool down for both.
 */
export async function uncachedPages(portal: BenchPortal, plain: Answering) {
  // Only those of this moment: what else PostgreSQL starts meanwhile, such as its autovacuum, renders no page.
  const processes = await processesOf(portal)
  const spent = async () => ({
    nodeMs: await cpuMs(processes.node),
    postgresMs: await cpuMs(processes.postgres),
    plainMs: await cpuMs(plain.pids),
  })
  const measured = { ...portal, plainUrl: plain.url, spent }
  return asOwner(portal.databaseUrl, async (database) => {
    const posts = (await (await fetch(`${portal.url}/api/posts?limit=50`)).json()) as { id: string }[]
    const postPaths = posts.map(({ id }) => `/post/${id}`)
    for (const paths of [['/home'], postPaths])
      await rendered(measured, database, { paths, pages: WARM_UP_PAGES })
    return {
      '/home': await rendered(measured, database, { paths: ['/home'], pages: PAGES }),
      '/post/{id}': await rendered(measured, database, { paths: postPaths, pages: PAGES }),
    }
  })
}

type Measured = Pick<BenchPortal, 'url' | 'counted'> & {
  plainUrl: string
  spent(): Promise<{ nodeMs: number; postgresMs: number; plainMs: number }>
}

/**
 * Before each round a notice says that the posts were changed, whereupon the portal forgets every page and list that shows
 * posts, and reads and renders them again. `paths` once in each round, one after the other on one connection, each for the
 * first time since the notice; that each was rendered is checked. What the notice itself costs the portal, without any
 * page, is taken off; PostgreSQL's time is that with its notice.
 */
async function rendered(
  { url, plainUrl, spent, counted }: Measured,
  database: Client,
  { paths, pages }: { paths: readonly string[]; pages: number },
) {
  const times: number[] = []
  const home = readyRequest({ path: '/home' })
  const notify = async () => {
    await database.query(`SELECT pg_notify('content_changed', 'posts')`)
    await sleep(NOTICE_MS)
  }
  const misses = () => counted(/^portal_page_cache_total\{outcome="miss"\}/)
  const first = await spent()
  for (let round = 0; round < NOTICES_ALONE; round++) await notify()
  const rounds = Math.ceil(pages / paths.length)
  const missesBefore = await misses()
  const before = await spent()
  for (let round = 0; round < rounds; round++) {
    await notify()
    const from = anAddress()
    const next = (count: number) => readyRequest({ path: paths[count] ?? '/', from })
    times.push(...(await steadyLoad({ url, next, connections: 1, answers: paths.length })).latenciesMs)
    await sleep(NOTICE_MS)
    await steadyLoad({ url: plainUrl, next: () => home, connections: 1, answers: paths.length })
  }
  const after = await spent()
  const forNotices = ((before.nodeMs - first.nodeMs) * rounds) / NOTICES_ALONE
  const missed = (await misses()) - missesBefore
  // A request can still overtake its notice now and then.
  if (missed < 0.99 * times.length) throw new Error(`${missed} of ${times.length} pages were rendered`)
  const nodeMs = (after.nodeMs - before.nodeMs - forNotices) / times.length
  const plainMs = (after.plainMs - before.plainMs) / times.length
  return {
    nodeMs,
    plainMs,
    inPlainRequests: nodeMs / plainMs,
    postgresMs: (after.postgresMs - before.postgresMs) / times.length,
    p50Ms: median(times),
    p95Ms: quantile(times, 0.95),
  }
}
