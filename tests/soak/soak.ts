import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import { freePort } from '#tests/support/network.ts'
import { plainBalancer, type Attempt, type Balancer } from '../harness/balancer.ts'
import {
  DEMO_ENVIRONMENT,
  newFolder,
  openPlace,
  openRunDatabase,
  startPostgres,
  type Ends,
  type Place,
} from '../harness/fleet.ts'
import { isCleanVerdict, judge, settle, type Verdict } from '../harness/judge.ts'
import { isFailed, underLoad, type ClientLog } from '../harness/load.ts'
import { openInspector, type Inspector } from './inspector.ts'
import { logParts } from './log-parts.ts'
import { diskOf, growthOf, lookInside, sampleOf, type Disk, type Sample } from './samples.ts'
import { isLogSmall, rowsOf, type Row } from './verdict.ts'

export type SoakOptions = {
  seed: number
  ms: number
  warmUpMs: number
  players: number
  say(line: string): void
}

type Watch = { name: string; place: Place; metricsUrl: string; inspector: Inspector; samples: Sample[] }
type Site = { watches: Watch[]; balancer: Balancer; db: Db }

const SAMPLE_MS = 5_000
/** A player stays so long: their sessions and streams end, and new ones begin. */
const STAY_MS = 45_000
/** Pages and data a player reads between two operations with money, however fast the machine is. */
const READS_PER_ACT = 6

/** A web process and a worker under steady load, watched from outside. */
export async function soak(options: SoakOptions) {
  await using ends = new AsyncDisposableStack()
  return await run(await open(ends), options)
}

async function open(ends: Ends): Promise<Site> {
  const folder = await newFolder(ends, 'soak')
  const databaseUrl = await startPostgres(ends, folder)
  const web = await startWatched(ends, 'web', { folder, databaseUrl })
  const worker = await startWatched(ends, 'worker', { folder, databaseUrl })
  const balancer = plainBalancer([web.place.port])
  ends.defer(() => balancer.close())
  const db = await openRunDatabase(ends, databaseUrl)
  return { watches: [web, worker], balancer, db }
}

async function startWatched(
  ends: Ends,
  kind: Place['kind'],
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
  const place = await openPlace(ends, kind, { dataDir: folder, environment })
  await place.start()
  const inspector = await openInspector(inspectorPort)
  ends.defer(() => inspector.close())
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  return { name: kind, place, metricsUrl, inspector, samples: [] }
}

/** Counters at one moment; what was done and written between two of them is the difference. */
type Mark = { disk: Disk; requests: number; operations: number; logBytes: number }

async function mark({ db, watches }: Site, log: ClientLog): Promise<Mark> {
  return {
    disk: await diskOf(db),
    requests: log.attempts.length + log.streams.length,
    operations: log.seen.filter(({ act }) => act !== 'refusal').length,
    logBytes: watches.reduce((sum, { place }) => sum + place.outputBytes(), 0),
  }
}

/** Much longer than from one collection of garbage to the next, which memory rises to and falls after. */
const WINDOW_MS_MAX = 5 * 60_000

const look = (watches: readonly Watch[]) => Promise.all(watches.map(({ inspector }) => lookInside(inspector)))

async function sample(watches: readonly Watch[], ms: number): Promise<void> {
  for (const until = Date.now() + ms; Date.now() < until; await sleep(SAMPLE_MS)) {
    for (const { place, metricsUrl, samples } of watches)
      samples.push(await sampleOf(place.pid(), metricsUrl))
  }
}

/** Jobs ask now and then; what is in use each time was never given back. */
async function leastInUse({ place, metricsUrl }: Watch): Promise<number> {
  const counts: number[] = []
  for (let time = 0; time < 20; time++) {
    counts.push((await sampleOf(place.pid(), metricsUrl)).connectionsInUse)
    await sleep(250)
  }
  return Math.min(...counts)
}

async function run(site: Site, { seed, ms, warmUpMs, players, say }: SoakOptions) {
  const { balancer, watches, db } = site
  const windowMs = Math.min(WINDOW_MS_MAX, (ms - warmUpMs) / 3)
  const load = { balancer, seed, players, stayMs: STAY_MS, readsPerAct: READS_PER_ACT, withUploads: true }
  const { log, result } = await underLoad(load, async (seen) => {
    say('warming up')
    await sleep(warmUpMs)
    const first = await mark(site, seen)
    say('watching')
    await sample(watches, windowMs)
    // Collects garbage, which empties the memory of a process that does little for minutes: both windows are before it.
    const warm = await look(watches)
    await sample(watches, ms - warmUpMs - windowMs)
    return { first, warm, end: await look(watches), last: await mark(site, seen) }
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
  const parts = logParts(watches.map(({ place }) => place.output()).join(''))
  return {
    ...reportOf({ rows, first, last, log, verdict: await judge(db, log.seen, null) }),
    log: parts,
  }
}

type Evidence = { rows: Row[]; verdict: Verdict; first: Mark; last: Mark; log: ClientLog }

function reportOf({ rows, first, last, log, verdict }: Evidence) {
  const requests = last.requests - first.requests
  const operations = last.operations - first.operations
  const logBytesPerRequest = Math.round((last.logBytes - first.logBytes) / requests)
  const failed = log.attempts.filter(isFailed)
  return {
    rows,
    requests,
    operations,
    failed: failed.length,
    // What a busy machine did not answer in time says nothing about growth, and the books judge it.
    failures: failed.map(lineOf),
    streamEvents: log.events,
    logBytesPerRequest,
    // Kilobytes per 1,000 operations.
    disk: growthOf(first.disk, last.disk, operations),
    books: { ...verdict.books, ...verdict.reconcile },
    isClean:
      isCleanVerdict(verdict) &&
      log.unexpected.length === 0 &&
      operations > 0 &&
      isLogSmall(logBytesPerRequest) &&
      rows.every(({ isFlat }) => isFlat),
  }
}

const lineOf = ({ method, path, status, code, startedAt, endedAt }: Attempt) =>
  `${new Date(startedAt).toISOString()} ${method} ${path} ${status ?? 'no answer'} ${code} in ${endedAt - startedAt} ms`
