import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/support/network.ts'
import { plainBalancer, type Attempt } from '../harness/balancer.ts'
import {
  DEMO_ENVIRONMENT,
  newFolder,
  openSlot,
  openRunDatabase,
  startPostgres,
  type Cleanup,
  type Slot,
} from '../harness/fleet.ts'
import { isFailed, underLoad, type ClientLog } from '../harness/load.ts'
import { sum } from '../harness/numbers.ts'
import { isVerified, settle, verify } from '../harness/verification.ts'
import { rowsOf, sampleCollected, sampleOf, type Watch } from './samples.ts'

export type SoakOptions = {
  seed: number
  ms: number
  warmUpMs: number
  players: number
  say(line: string): void
}

const SAMPLE_MS = 5_000
/** A player stays so long: their sessions and streams end, and new ones begin. */
const STAY_MS = 45_000
/** Pages and data a player reads between two operations with money, however fast the machine is. */
const READS_PER_ACT = 6
/** Much longer than from one collection of garbage to the next, which memory rises to and falls after. */
const WINDOW_MS_MAX = 5 * 60_000
const LOG_BYTES_MAX = 400

/** A web process and a worker under steady load, watched from outside. */
export async function soak({ seed, ms, warmUpMs, players, say }: SoakOptions) {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup, 'soak')
  const databaseUrl = await startPostgres(cleanup, folder)
  const web = await startWatched(cleanup, 'web', { folder, databaseUrl })
  const watches = [web, await startWatched(cleanup, 'worker', { folder, databaseUrl })]
  const balancer = plainBalancer([web.slot.port])
  cleanup.defer(() => balancer.close())
  const db = await openRunDatabase(cleanup, databaseUrl)
  const windowMs = Math.min(WINDOW_MS_MAX, (ms - warmUpMs) / 3)
  const load = { balancer, seed, players, stayMs: STAY_MS, readsPerAct: READS_PER_ACT, withUploads: true }
  const { log, result } = await underLoad(load, async (confirmed) => {
    say('warming up')
    await sleep(warmUpMs)
    const first = countsOf(watches, confirmed)
    say('watching')
    await sample(watches, windowMs)
    // Empties the memory of a process that does little for minutes: both windows are before a collection.
    const warm = await Promise.all(watches.map(sampleCollected))
    await sample(watches, ms - warmUpMs - windowMs)
    const end = await Promise.all(watches.map(sampleCollected))
    return { warm, end, done: differenceOf(first, countsOf(watches, confirmed)) }
  })
  await settle(db)
  const rows = await Promise.all(
    watches.map(async (watch, index) => {
      const [warm, end] = [result.warm[index], result.end[index]]
      const { samples, slot } = watch
      if (!warm || !end) throw new Error(`nobody looked into the ${slot.kind}`)
      return rowsOf({ name: slot.kind, samples, warm, end, inUse: await leastInUse(watch) }, windowMs)
    }),
  )
  const { requests, operations, logBytes } = result.done
  const logBytesPerRequest = Math.round(logBytes / requests)
  const verification = await verify(db, log.confirmed, null)
  const failures = log.attempts.filter(isFailed).map(lineOf)
  return {
    rows: rows.flat(),
    requests,
    operations,
    failed: failures.length,
    // What a busy machine did not answer in time is not growth; the books are verified.
    failures,
    streamEvents: log.events,
    logBytesPerRequest,
    books: { ...verification.books, ...verification.reconcile },
    isClean:
      isVerified(verification) &&
      log.unexpected.length === 0 &&
      operations > 0 &&
      logBytesPerRequest <= LOG_BYTES_MAX &&
      rows.flat().every(({ isFlat }) => isFlat),
  }
}

async function startWatched(
  cleanup: Cleanup,
  kind: Slot['kind'],
  { folder, databaseUrl }: { folder: string; databaseUrl: string },
): Promise<Watch> {
  const metricsPort = await freePort()
  const environment = {
    ...DEMO_ENVIRONMENT,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'info',
    METRICS_PORT: String(metricsPort),
    NODE_OPTIONS: `--import=${new URL('collect-on-signal.ts', import.meta.url).href}`,
  }
  const slot = await openSlot(cleanup, kind, { dataDir: folder, environment })
  await slot.start()
  return { slot, metricsPort, samples: [] }
}

/** What was done and written so far. */
const countsOf = (watches: readonly Watch[], log: ClientLog) => ({
  requests: log.attempts.length + log.streams.length,
  operations: log.confirmed.filter(({ act }) => act !== 'refusal').length,
  logBytes: sum(watches.map(({ slot }) => slot.outputBytes())),
})

const differenceOf = (first: ReturnType<typeof countsOf>, last: typeof first) => ({
  requests: last.requests - first.requests,
  operations: last.operations - first.operations,
  logBytes: last.logBytes - first.logBytes,
})

async function sample(watches: readonly Watch[], ms: number): Promise<void> {
  for (const until = Date.now() + ms; Date.now() < until; await sleep(SAMPLE_MS))
    for (const watch of watches) watch.samples.push(await sampleOf(watch))
}

/** Jobs use a connection now and then; what is in use each time was never given back. */
async function leastInUse(watch: Watch): Promise<number> {
  const counts: number[] = []
  for (let time = 0; time < 20; time++) {
    counts.push((await sampleOf(watch)).connectionsInUse)
    await sleep(250)
  }
  return Math.min(...counts)
}

const lineOf = ({ method, path, status, code, startedAt, endedAt }: Attempt) =>
  `${new Date(startedAt).toISOString()} ${method} ${path} ${status ?? 'no answer'} ${code} in ${endedAt - startedAt} ms`
