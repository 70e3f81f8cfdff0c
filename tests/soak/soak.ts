import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import { freePort } from '#tests/support/network.ts'
import { plainBalancer, type Attempt, type Balancer } from '../harness/balancer.ts'
import {
  DEMO_ENVIRONMENT,
  newFolder,
  openSlot,
  openRunDatabase,
  startPostgres,
  type Cleanup,
  type Slot,
} from '../harness/fleet.ts'
import { isVerified, settle, type Verification, verify } from '../harness/verification.ts'
import { isFailed, underLoad, type ClientLog } from '../harness/load.ts'
import { openInspector, type Inspector } from './inspector.ts'
import {
  type Disk,
  diskOf,
  growthOf,
  isLogSmall,
  logParts,
  lookInside,
  type Row,
  rowsOf,
  type Sample,
  sampleOf,
} from './samples.ts'

export type SoakOptions = {
  seed: number
  ms: number
  warmUpMs: number
  players: number
  say(line: string): void
}

type Watch = { name: string; slot: Slot; metricsUrl: string; inspector: Inspector; samples: Sample[] }
type Site = { watches: Watch[]; balancer: Balancer; db: Db }

const SAMPLE_MS = 5_000
/** A player stays so long: their sessions and streams end, and new ones begin. */
const STAY_MS = 45_000
/** Pages and data a player reads between two operations with money, however fast the machine is. */
const READS_PER_ACT = 6

/** A web process and a worker under steady load, watched from outside. */
export async function soak(options: SoakOptions) {
  await using cleanup = new AsyncDisposableStack()
  return await run(await open(cleanup), options)
}

async function open(cleanup: Cleanup): Promise<Site> {
  const folder = await newFolder(cleanup, 'soak')
  const databaseUrl = await startPostgres(cleanup, folder)
  const web = await startWatched(cleanup, 'web', { folder, databaseUrl })
  const worker = await startWatched(cleanup, 'worker', { folder, databaseUrl })
  const balancer = plainBalancer([web.slot.port])
  cleanup.defer(() => balancer.close())
  const db = await openRunDatabase(cleanup, databaseUrl)
  return { watches: [web, worker], balancer, db }
}

async function startWatched(
  cleanup: Cleanup,
  kind: Slot['kind'],
  { folder, databaseUrl }: { folder: string; databaseUrl: string },
): Promise<Watch> {
  const [metricsPort, inspectorPort] = [await freePort(), await freePort()]
  const environment = {
    ...DEMO_ENVIRONMENT,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'info',
    METRICS_PORT: String(metricsPort),
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
  }
  const slot = await openSlot(cleanup, kind, { dataDir: folder, environment })
  await slot.start()
  const inspector = await openInspector(inspectorPort)
  cleanup.defer(() => inspector.close())
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  return { name: kind, slot, metricsUrl, inspector, samples: [] }
}

/** Counters at one moment; what was done and written between two of them is the difference. */
type Mark = { disk: Disk; requests: number; operations: number; logBytes: number }

async function mark({ db, watches }: Site, log: ClientLog): Promise<Mark> {
  return {
    disk: await diskOf(db),
    requests: log.attempts.length + log.streams.length,
    operations: log.confirmed.filter(({ act }) => act !== 'refusal').length,
    logBytes: watches.reduce((sum, { slot }) => sum + slot.outputBytes(), 0),
  }
}

/** Much longer than from one collection of garbage to the next, which memory rises to and falls after. */
const WINDOW_MS_MAX = 5 * 60_000

const look = (watches: readonly Watch[]) => Promise.all(watches.map(({ inspector }) => lookInside(inspector)))

async function sample(watches: readonly Watch[], ms: number): Promise<void> {
  for (const until = Date.now() + ms; Date.now() < until; await sleep(SAMPLE_MS)) {
    for (const { slot, metricsUrl, samples } of watches) samples.push(await sampleOf(slot.pid(), metricsUrl))
  }
}

/** Jobs use a connection now and then; what is in use each time was never given back. */
async function leastInUse({ slot, metricsUrl }: Watch): Promise<number> {
  const counts: number[] = []
  for (let time = 0; time < 20; time++) {
    counts.push((await sampleOf(slot.pid(), metricsUrl)).connectionsInUse)
    await sleep(250)
  }
  return Math.min(...counts)
}

async function run(site: Site, { seed, ms, warmUpMs, players, say }: SoakOptions) {
  const { balancer, watches, db } = site
  const windowMs = Math.min(WINDOW_MS_MAX, (ms - warmUpMs) / 3)
  const load = { balancer, seed, players, stayMs: STAY_MS, readsPerAct: READS_PER_ACT, withUploads: true }
  const { log, result } = await underLoad(load, async (confirmed) => {
    say('warming up')
    await sleep(warmUpMs)
    const first = await mark(site, confirmed)
    say('watching')
    await sample(watches, windowMs)
    // Collects garbage, which empties the memory of a process that does little for minutes: both windows are before it.
    const warm = await look(watches)
    await sample(watches, ms - warmUpMs - windowMs)
    return { first, warm, end: await look(watches), last: await mark(site, confirmed) }
  })
  const { first, warm, end, last } = result
  await settle(db)
  const inUse = await Promise.all(watches.map(leastInUse))
  const rows = watches.flatMap(({ name, samples }, index) => {
    const [before, after, stillInUse] = [warm[index], end[index], inUse[index]]
    if (!before || !after || stillInUse === undefined) throw new Error(`nobody looked into the ${name}`)
    say(`${name}: ${JSON.stringify(after.resources)}`)
    return rowsOf({ name, samples, warm: before, end: after, inUse: stillInUse }, windowMs)
  })
  const parts = logParts(watches.map(({ slot }) => slot.output()).join(''))
  return {
    ...reportOf({ rows, first, last, log, verification: await verify(db, log.confirmed, null) }),
    log: parts,
  }
}

type Evidence = { rows: Row[]; verification: Verification; first: Mark; last: Mark; log: ClientLog }

function reportOf({ rows, first, last, log, verification }: Evidence) {
  const requests = last.requests - first.requests
  const operations = last.operations - first.operations
  const logBytesPerRequest = Math.round((last.logBytes - first.logBytes) / requests)
  const failed = log.attempts.filter(isFailed)
  return {
    rows,
    requests,
    operations,
    failed: failed.length,
    // What a busy machine did not answer in time is not growth; the books are verified.
    failures: failed.map(lineOf),
    streamEvents: log.events,
    logBytesPerRequest,
    // Kilobytes per 1,000 operations.
    disk: growthOf(first.disk, last.disk, operations),
    books: { ...verification.books, ...verification.reconcile },
    isClean:
      isVerified(verification) &&
      log.unexpected.length === 0 &&
      operations > 0 &&
      isLogSmall(logBytesPerRequest) &&
      rows.every(({ isFlat }) => isFlat),
  }
}

const lineOf = ({ method, path, status, code, startedAt, endedAt }: Attempt) =>
  `${new Date(startedAt).toISOString()} ${method} ${path} ${status ?? 'no answer'} ${code} in ${endedAt - startedAt} ms`
