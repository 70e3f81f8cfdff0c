import { setTimeout as sleep } from 'node:timers/promises'
import { Client as PostgresClient } from 'pg'
import type { Db } from '#server/platform/db/database.ts'
import { Client } from '../../harness/client.ts'
import { DEMO_ENVIRONMENT, newFolder, openFleet, openSlot, startPostgres } from '../../harness/fleet.ts'
import { isVerified, offending, settle, shown, verify, withDatabase } from '../../harness/verification.ts'
import { enterAll, tradeUntil, type Actor, type Context } from '../../harness/players.ts'
import { inHundredths, inMs, quantile, secondsSince, seeded } from '../../harness/numbers.ts'
import { countRows, plantOldRows, type Left, type Planting } from './old-rows.ts'

export type RetentionOptions = Planting & {
  seed: number
  players: number
  seconds: number
  /** What is left after this is reported as too old. */
  jobsSecondsMax: number
}

const CHECK_MS = 250

type Run = {
  context: Context
  actors: Actor[]
  owner: PostgresClient
  db: Db
  withWorker: <Result>(work: () => Promise<Result>) => Promise<Result>
  options: RetentionOptions
}

/**
 * Every table that a job cleans up gets rows that are too old, and some that are almost. A worker removes them while clients
 * trade; then nothing too old may be left, nothing younger be gone, and what the clients saw must stand in the ledger.
 */
export async function tortureRetention(options: RetentionOptions) {
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await newFolder(cleanup, 'retention')
  const url = await startPostgres(cleanup, dataDir)
  const fleet = {
    dataDir,
    environment: { ...DEMO_ENVIRONMENT, DATABASE_URL: url },
  }
  const { start, urls } = await openFleet(cleanup, fleet, { webs: 1, workers: 0 })
  await start()
  const context: Context = { client: new Client(urls), confirmed: [] }
  const names = Array.from({ length: options.players }, (_, player) => `luugiu${options.seed}x${player}`)
  const actors = await enterAll(context, names, seeded(options.seed))
  const owner = new PostgresClient({ connectionString: url })
  await owner.connect()
  cleanup.defer(() => owner.end())
  const worker = await openSlot(cleanup, 'worker', fleet)
  const withWorker: Run['withWorker'] = async (work) => {
    await worker.start()
    return work().finally(() => worker.stop())
  }
  return await withDatabase(url, (db) => measure({ context, actors, owner, db, withWorker, options }))
}

async function measure(run: Run) {
  const { context, owner, db, withWorker, options } = run
  const forSeconds = () => sleep(options.seconds * 1_000)
  const before = await withWorker(async () => {
    const took = await trade(run, forSeconds)
    await settle(db)
    return took
  })
  await plantOldRows(owner, options)
  // As if the ten minutes between two checks of the due days had passed.
  await owner.query('UPDATE reconciliation_task SET due_at = now(), claimed_until = NULL; ANALYZE')
  const planted = await countRows(owner)
  const unplanted = Object.entries(planted).filter(([, { tooOld, young }]) => tooOld === 0 || young === 0)
  if (unplanted.length > 0) throw new Error(`nothing to remove or to keep in ${unplanted.join()}`)
  const { busy, after, jobsSeconds, left } = await withWorker(async () => {
    const began = performance.now()
    const whileErasing = await trade(run, () => untilErased(owner, options.jobsSecondsMax))
    const seconds = secondsSince(began)
    const afterwards = await trade(run, forSeconds)
    await settle(db)
    return { busy: whileErasing, after: afterwards, jobsSeconds: seconds, left: await countRows(owner) }
  })
  const idleP95Ms = inMs(quantile([...before, ...after], 0.95))
  const busyP95Ms = inMs(quantile(busy, 0.95))
  const verification = await verify(db, context.confirmed, 'embedded')
  const tooOld = of(left, ({ tooOld: count }) => count)
  const youngGone = of(left, ({ young }, table) => Math.max(0, (planted[table]?.young ?? 0) - young))
  const keysGone = options.old + options.young - (await countKeys(owner))
  const wrong = keysGone + [tooOld, youngGone].flatMap(Object.values).length
  return {
    seed: options.seed,
    planted: { old: options.old, young: options.young },
    // Tables that still hold rows older than their stated age, and those that lost younger ones.
    tooOld,
    youngGone,
    // Keys whose answers were erased are not removed.
    keysGone,
    jobsSeconds,
    // Of one act of a client: while the jobs have nothing to do, and while they erase.
    idleP95Ms,
    busyP95Ms,
    ratio: inHundredths(busyP95Ms / idleP95Ms),
    ...shown(verification),
    isClean: wrong === 0 && isVerified(verification),
  }
}

const of = (left: Left, count: (row: Left[string], table: string) => number) =>
  offending(Object.fromEntries(Object.entries(left).map(([table, row]) => [table, count(row, table)])))

/** All clients act without pause until `end` is reached; answers how long each act took. */
async function trade({ context, actors, options }: Run, end: () => Promise<unknown>): Promise<number[]> {
  const tookMs: number[] = []
  const ending = new AbortController()
  const seed = options.seed + context.confirmed.length
  const working = tradeUntil(ending.signal, { context, actors, seed }, (_, ms) => tookMs.push(ms))
  await Promise.race([end(), working]).finally(() => ending.abort())
  await working
  return tookMs
}

async function untilErased(owner: PostgresClient, secondsMax: number): Promise<void> {
  const deadline = performance.now() + secondsMax * 1_000
  while (performance.now() < deadline) {
    const left = Object.values(await countRows(owner))
    if (left.every(({ tooOld }) => tooOld === 0)) return
    await sleep(CHECK_MS)
  }
}

async function countKeys(owner: PostgresClient): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(
    `SELECT count(*) FROM idempotency_key WHERE scope LIKE 'planted:%'`,
  )
  return Number(rows[0]?.count)
}
