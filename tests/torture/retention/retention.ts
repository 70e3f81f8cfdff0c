import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { reconcile } from '#server/modules/wallet/index.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { freePort } from '#tests/support/free-port.ts'
import { spawnPortal, startPortalProcess } from '#tests/support/portal-process.ts'
import { act, enter, type Actor, type Seen } from '../actors.ts'
import { judge, type Verdict } from '../judge.ts'
import { PortalClient } from '../portal-client.ts'
import { seeded } from '../random.ts'
import { countRows, plantOldRows, type Left, type Planting } from './old-rows.ts'

export type RetentionOptions = Planting & {
  seed: number
  players: number
  seconds: number
  /** What is left after this is reported as too old. */
  jobsSecondsMax: number
}

export type RetentionReport = Verdict & {
  seed: number
  planted: Planting
  /** Tables that still hold rows older than their stated age, and those that lost younger ones. */
  tooOld: Record<string, number>
  youngGone: Record<string, number>
  /** Keys whose answers were erased are kept. */
  keysGone: number
  jobsSeconds: number
  /** Of one act of a client: while the jobs have nothing to do, while they erase, and the one by the other. */
  idleP95Ms: number
  busyP95Ms: number
  ratio: number
  reconcile: Record<string, number>
  isClean: boolean
}

const SETTLE_MS_MAX = 60_000
const LOOK_MS = 250

type Run = {
  context: { client: PortalClient; sepaySecret: string; seen: Seen[] }
  actors: Actor[]
  seed: number
}

/**
 * Every table that a job keeps gets rows that are too old, and some that are almost. A worker removes them while clients
 * trade; then nothing too old may be left, nothing younger be gone, and what the clients saw must stand in the ledger.
 */
export async function tortureRetention(options: RetentionOptions): Promise<RetentionReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-retention-'))
  const environment = { DEMO: '1', LOG_LEVEL: 'fatal', TRUST_PROXY: '127.0.0.1' }
  const portal = await startPortalProcess({
    dataDir,
    environment,
    arguments: ['--web'],
    port: await freePort(),
  })
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => {} })
  const owner = new Client({ connectionString: postgres.url })
  const withWorker = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const worker = spawnPortal({ dataDir, environment, arguments: ['--worker'] })
    try {
      return await work()
    } finally {
      await worker.end()
    }
  }
  try {
    await owner.connect()
    const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<
      string,
      string
    >
    const sepaySecret = secrets.SEPAY_WEBHOOK_SECRET as string
    const run: Run = {
      context: { client: new PortalClient(portal.url), sepaySecret, seen: [] },
      actors: [],
      seed: options.seed,
    }
    const random = seeded(options.seed)
    for (let player = 0; player < options.players; player++)
      run.actors.push(await enter(run.context, `luugiu${options.seed}x${player}`.slice(0, 20), random))
    return await measure({ run, owner, url: postgres.url, withWorker, options })
  } finally {
    await owner.end()
    await portal.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

type Measuring = {
  run: Run
  owner: Client
  url: string
  withWorker: <Result>(work: () => Promise<Result>) => Promise<Result>
  options: RetentionOptions
}

async function measure({ run, owner, url, withWorker, options }: Measuring): Promise<RetentionReport> {
  const forSeconds = () => sleep(options.seconds * 1_000)
  const before = await withWorker(async () => {
    const took = await trade(run, forSeconds)
    await settle(owner)
    return took
  })
  await plantOldRows(owner, options)
  // As if the ten minutes between two looks at the due days had passed.
  await owner.query('UPDATE reconciliation_task SET due_at = now(), claimed_until = NULL; ANALYZE')
  const planted = await countRows(owner)
  const unplanted = Object.entries(planted).filter(([, { tooOld, young }]) => tooOld === 0 || young === 0)
  if (unplanted.length > 0) throw new Error(`nothing to remove or to keep in ${unplanted.join()}`)
  const { busy, after, jobsMs, left } = await withWorker(async () => {
    const began = performance.now()
    const whileErasing = await trade(run, () => untilErased(owner, options.jobsSecondsMax))
    const took = performance.now() - began
    const afterwards = await trade(run, forSeconds)
    await settle(owner)
    return { busy: whileErasing, after: afterwards, jobsMs: took, left: await countRows(owner) }
  })
  const idleP95Ms = p95([...before, ...after])
  const busyP95Ms = p95(busy)
  const verdict = await verdictOf(url, run.context.seen)
  const tooOld = only(left, ({ tooOld: count }) => count)
  const youngGone = only(left, ({ young }, table) => Math.max(0, (planted[table]?.young ?? 0) - young))
  const keysGone = options.old + options.young - (await countKeys(owner))
  const faults = faultsOf(verdict) + keysGone + [tooOld, youngGone].flatMap(Object.values).length
  return {
    seed: options.seed,
    planted: { old: options.old, young: options.young },
    tooOld,
    youngGone,
    keysGone,
    jobsSeconds: Math.round(jobsMs / 100) / 10,
    idleP95Ms,
    busyP95Ms,
    ratio: Math.round((busyP95Ms / idleP95Ms) * 100) / 100,
    ...verdict,
    isClean: faults === 0,
  }
}

const only = (left: Left, count: (row: Left[string], table: string) => number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(left).flatMap(([table, row]) =>
      count(row, table) === 0 ? [] : [[table, count(row, table)]],
    ),
  )

/** All clients act without pause until `end` is reached; answers how long each act took. */
async function trade({ context, actors, seed }: Run, end: () => Promise<unknown>): Promise<number[]> {
  const tookMs: number[] = []
  const ending = new AbortController()
  const working = Promise.all(
    actors.map(async (actor, index) => {
      const random = seeded(seed * 1_000 + index + context.seen.length)
      while (!ending.signal.aborted) {
        const began = performance.now()
        await act(context, actors, actor, random)
        tookMs.push(performance.now() - began)
      }
    }),
  )
  await Promise.race([end(), working]).finally(() => ending.abort())
  await working
  return tookMs
}

function p95(samples: readonly number[]): number {
  const sorted = samples.toSorted((one, other) => one - other)
  return Math.round((sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN) * 10) / 10
}

async function untilErased(owner: Client, secondsMax: number): Promise<void> {
  const deadline = performance.now() + secondsMax * 1_000
  while (performance.now() < deadline) {
    const left = Object.values(await countRows(owner))
    if (left.every(({ tooOld }) => tooOld === 0)) return
    await sleep(LOOK_MS)
  }
}

async function settle(owner: Client): Promise<void> {
  const deadline = performance.now() + SETTLE_MS_MAX
  while (performance.now() < deadline) {
    const { rowCount } = await owner.query(
      `SELECT FROM delivery WHERE state NOT IN ('delivered', 'refunded') LIMIT 1`,
    )
    if (rowCount === 0) return
    await sleep(LOOK_MS)
  }
}

async function verdictOf(url: string, seen: readonly Seen[]) {
  const db = openDatabase({ url, log: openLog('fatal'), connectionsMax: 2, statementTimeoutMs: 600_000 })
  try {
    const checks = await reconcile(db)
    return {
      ...(await judge(db, seen)),
      reconcile: Object.fromEntries(checks.map(({ check, count }) => [check, count])),
    }
  } finally {
    await db.destroy()
  }
}

function faultsOf({
  acknowledged,
  reconcile: books,
  ...faults
}: Awaited<ReturnType<typeof verdictOf>>): number {
  const all = [...Object.values(faults), ...Object.values(books)]
  // A run in which nobody traded proves nothing.
  return all.reduce((sum, count) => sum + count, acknowledged === 0 ? 1 : 0)
}

async function countKeys(owner: Client): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(
    `SELECT count(*) FROM idempotency_key WHERE scope LIKE 'planted:%'`,
  )
  return Number(rows[0]?.count)
}
