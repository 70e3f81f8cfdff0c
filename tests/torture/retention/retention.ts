import { setTimeout as sleep } from 'node:timers/promises'
import type { Client as PostgresClient } from 'pg'
import { connect } from '#server/platform/db/owner.ts'
import { Client } from '../../harness/client.ts'
import {
  DEMO_ENVIRONMENT,
  newFolder,
  openFleet,
  openRunDatabase,
  openSlot,
  startPostgres,
} from '../../harness/fleet.ts'
import { isVerified, offending, settle, shown, verify } from '../../harness/verification.ts'
import { enterAll, tradeUntil, type ConfirmedAct } from '../../harness/players.ts'
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

/**
 * Every table that a job cleans up gets rows that are too old, and some that are almost. A worker removes them while clients
 * trade; then nothing too old may be left, nothing younger be gone, and what the clients saw must stand in the ledger.
 */
export async function tortureRetention(options: RetentionOptions) {
  const { seed, old, young } = options
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await newFolder(cleanup, 'retention')
  const url = await startPostgres(cleanup, dataDir)
  const processes = { dataDir, environment: { ...DEMO_ENVIRONMENT, DATABASE_URL: url } }
  const fleet = await openFleet(cleanup, processes, { webs: 1, workers: 0 })
  await fleet.start()
  const worker = await openSlot(cleanup, 'worker', processes)
  const db = await openRunDatabase(cleanup, url)
  const traders = await openTraders(fleet.urls, options)
  const forSeconds = () => sleep(options.seconds * 1_000)

  await worker.start()
  const before = await traders.trade(forSeconds)
  await settle(db)
  await worker.stop()
  const owner = await connect(url)
  cleanup.defer(() => owner.end())
  const planted = await plant(owner, options)
  await worker.start()
  const began = performance.now()
  const busy = await traders.trade(() => untilErased(owner, options.jobsSecondsMax))
  const jobsSeconds = secondsSince(began)
  const after = await traders.trade(forSeconds)
  await settle(db)
  const left = await countRows(owner)
  const idleP95Ms = inMs(quantile([...before, ...after], 0.95))
  const busyP95Ms = inMs(quantile(busy, 0.95))
  const verification = await verify(db, traders.confirmed, 'embedded')
  // Tables that still hold rows older than their stated age, and those that lost younger ones.
  const tooOld = offendingIn(left, ({ tooOld: count }) => count)
  const youngGone = offendingIn(left, (rows, table) => Math.max(0, (planted[table]?.young ?? 0) - rows.young))
  // Keys whose answers were erased are not removed.
  const keysGone = old + young - (left.idempotency_key?.all ?? 0)
  const wrong = keysGone + [tooOld, youngGone].flatMap(Object.values).length
  return {
    seed,
    planted: { old, young },
    tooOld,
    youngGone,
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

const offendingIn = (left: Left, count: (row: Left[string], table: string) => number) =>
  offending(Object.fromEntries(Object.entries(left).map(([table, row]) => [table, count(row, table)])))

async function openTraders(urls: readonly string[], { seed, players }: RetentionOptions) {
  const confirmed: ConfirmedAct[] = []
  const context = { client: new Client(urls), confirmed }
  const actors = await enterAll(context, { name: `luugiu${seed}x`, count: players }, seeded(seed))
  return {
    confirmed,
    /** All clients act without pause until `end` is reached; answers how long each act took. */
    async trade(end: () => Promise<unknown>): Promise<number[]> {
      const tookMs: number[] = []
      const ending = new AbortController()
      const trading = { context, actors, seed: seed + confirmed.length }
      const working = tradeUntil(ending.signal, trading, (_, ms) => tookMs.push(ms))
      await Promise.race([end(), working]).finally(() => ending.abort())
      await working
      return tookMs
    },
  }
}

async function plant(owner: PostgresClient, options: RetentionOptions): Promise<Left> {
  await plantOldRows(owner, options)
  // As if the ten minutes between two checks of the due days had passed.
  await owner.query('UPDATE reconciliation_task SET due_at = now(), claimed_until = NULL; ANALYZE')
  const planted = await countRows(owner)
  const unplanted = Object.entries(planted).filter(([, { tooOld, young }]) => tooOld === 0 || young === 0)
  if (unplanted.length > 0) throw new Error(`nothing to remove or to keep in ${unplanted.join()}`)
  return planted
}

async function untilErased(owner: PostgresClient, secondsMax: number): Promise<void> {
  const deadline = performance.now() + secondsMax * 1_000
  while (performance.now() < deadline) {
    const left = Object.values(await countRows(owner))
    if (left.every(({ tooOld }) => tooOld === 0)) return
    await sleep(CHECK_MS)
  }
}
