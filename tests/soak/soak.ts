import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { reconcile } from '#server/modules/wallet/index.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { freePort } from '#tests/support/free-port.ts'
import { judgeBooks } from '../torture/judge.ts'
import { emptyClientLog, gather, work, type ClientLog } from '../upgrade/clients.ts'
import { plainDoor, type Attempt, type Door } from '../upgrade/doors.ts'
import { openPlace, type Place } from '../upgrade/fleet.ts'
import { isFailed, waitUntilSettled } from '../upgrade/verdict.ts'
import { openInspector, type Inspector } from './inspector.ts'
import { logParts, type LogPart } from './log-parts.ts'
import { diskOf, growthOf, lookInside, sampleOf, type Disk, type Sample } from './samples.ts'
import { isLogSmall, rowsOf, type Row } from './verdict.ts'

export type SoakOptions = {
  seed: number
  ms: number
  warmUpMs: number
  players: number
  say(line: string): void
}

export type SoakReport = {
  rows: Row[]
  requests: number
  operations: number
  failed: number
  streamEvents: number
  logBytesPerRequest: number
  /** Which messages make up the log, by what is kept of it: the largest first. */
  log: LogPart[]
  /** What a busy machine did not answer in time; it says nothing about growth, and the books judge it. */
  failures: string[]
  /** Kilobytes per 1,000 operations. */
  disk: Record<string, number>
  books: Record<string, number>
  isClean: boolean
}

type Watch = { name: string; place: Place; metricsUrl: string; inspector: Inspector; samples: Sample[] }
type Site = { watches: Watch[]; door: Door; db: Db; sepaySecret: string }
type Ends = (() => Promise<unknown>)[]

const root = fileURLToPath(new URL('../../', import.meta.url))
const SAMPLE_MS = 5_000
/** A player stays so long: their sessions and streams end, and new ones begin. */
const STAY_MS = 45_000
/** Pages and data a player reads between two operations with money, however fast the machine is. */
const READS_PER_ACT = 6

/** A web process and a worker under steady load, watched from outside. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-soak-'))
  const ends: Ends = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
  try {
    return await run(await open(folder, ends), options)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function open(folder: string, ends: Ends): Promise<Site> {
  const postgres = await openEmbeddedPostgres({ dataDir: folder, log: () => {} })
  ends.push(() => postgres.stop())
  const watches = [
    await startWatched('web', folder, postgres.url),
    await startWatched('worker', folder, postgres.url),
  ]
  for (const { place, inspector } of watches) {
    ends.push(() => place.stop())
    ends.push(async () => inspector.close())
  }
  const door = plainDoor([watches[0]?.place.port as number])
  ends.push(() => door.close())
  const db = openDatabase({
    url: postgres.url,
    log: openLog('fatal'),
    connectionsMax: 2,
    statementTimeoutMs: 60_000,
  })
  ends.push(() => db.destroy())
  const secrets = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as Record<string, string>
  return { watches, door, db, sepaySecret: secrets.SEPAY_WEBHOOK_SECRET as string }
}

async function startWatched(kind: Place['kind'], folder: string, databaseUrl: string): Promise<Watch> {
  const [metricsPort, inspectorPort] = [await freePort(), await freePort()]
  const environment = {
    DATABASE_URL: databaseUrl,
    DEMO: '1',
    TRUST_PROXY: '127.0.0.1',
    METRICS_PORT: String(metricsPort),
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
  }
  const place = await openPlace(kind, { dataDir: folder, environment })
  await place.start(root)
  return {
    name: kind,
    place,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    inspector: await openInspector(inspectorPort),
    samples: [],
  }
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

async function run(site: Site, { seed, ms, warmUpMs, players, say }: SoakOptions): Promise<SoakReport> {
  const { door, watches, db, sepaySecret } = site
  const log = emptyClientLog()
  const crowd = await gather(door, log, { seed, players, sepaySecret })
  const over = new AbortController()
  const windowMs = Math.min(WINDOW_MS_MAX, (ms - warmUpMs) / 3)
  const working = work({
    crowd,
    door,
    log,
    seed,
    signal: over.signal,
    stayMs: STAY_MS,
    readsPerAct: READS_PER_ACT,
    withUploads: true,
  })
  const watching = async () => {
    say('warming up')
    await sleep(warmUpMs)
    const first = await mark(site, log)
    say('watching')
    await sample(watches, windowMs)
    // Collects garbage, which empties the memory of a process that does little for minutes: both windows are before it.
    const warm = await look(watches)
    await sample(watches, ms - warmUpMs - windowMs)
    return { first, warm, end: await look(watches), last: await mark(site, log) }
  }
  const failure = working.then(() => Promise.reject(new Error('the clients stopped before the end')))
  const { first, warm, end, last } = await Promise.race([watching(), failure]).finally(() => over.abort())
  failure.catch(() => {})
  await working
  await waitUntilSettled(db)
  const inUse = await Promise.all(watches.map(leastInUse))
  const rows = watches.flatMap(({ name, samples }, index) => {
    const [before, after, stillInUse] = [warm[index], end[index], inUse[index]]
    if (!before || !after || stillInUse === undefined) throw new Error(`nobody looked into the ${name}`)
    say(`${name}: ${JSON.stringify(after.resources)}`)
    return rowsOf({ name, samples, warm: before, end: after, inUse: stillInUse }, windowMs)
  })
  const parts = logParts(watches.map(({ place }) => place.output()).join(''))
  return { ...reportOf({ rows, first, last, log, books: await booksOf(db, log) }), log: parts }
}

async function booksOf(db: Db, log: ClientLog): Promise<Record<string, number>> {
  const { acknowledged: _, refunded: _refunded, ...ledger } = await judgeBooks(db, log.seen)
  return { ...ledger, ...Object.fromEntries((await reconcile(db)).map(({ check, count }) => [check, count])) }
}

type Evidence = Pick<SoakReport, 'rows' | 'books'> & { first: Mark; last: Mark; log: ClientLog }

function reportOf({ rows, first, last, log, books }: Evidence): Omit<SoakReport, 'log'> {
  const requests = last.requests - first.requests
  const operations = last.operations - first.operations
  const logBytesPerRequest = Math.round((last.logBytes - first.logBytes) / requests)
  const failed = log.attempts.filter(isFailed)
  const wrong = Object.values(books).reduce((sum, count) => sum + count, log.unexpected.length)
  return {
    rows,
    requests,
    operations,
    failed: failed.length,
    failures: failed.map(lineOf),
    streamEvents: log.events,
    logBytesPerRequest,
    disk: growthOf(first.disk, last.disk, operations),
    books,
    isClean:
      wrong === 0 && operations > 0 && isLogSmall(logBytesPerRequest) && rows.every(({ isFlat }) => isFlat),
  }
}

const lineOf = ({ method, path, status, code, startedAt, endedAt }: Attempt) =>
  `${new Date(startedAt).toISOString()} ${method} ${path} ${status ?? 'no answer'} ${code} in ${endedAt - startedAt} ms`
