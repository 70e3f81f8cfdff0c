import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reconcile } from '#server/modules/wallet/index.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { childrenOf } from '#tests/support/child-processes.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startPortalProcess, type PortalProcess } from '#tests/support/portal-process.ts'
import { act, enter, type Actor, type Seen } from './actors.ts'
import { missingKeys } from './chain-keys.ts'
import { judge, type Verdict } from './judge.ts'
import { kill, killPostgres } from './kill.ts'
import { RepeatingClient } from './repeating-client.ts'
import { seeded, type Random } from './random.ts'
import { secondsSince } from './seconds-since.ts'

export type TortureOptions = {
  seed: number
  seconds: number
  kills: number
  players: number
  /** PROCESSES of the portal; 1 when left out. */
  processes?: number
}

export type TortureReport = Verdict & {
  seed: number
  kills: number
  repeats: number
  /** Acknowledged acts that were sent again with their keys, and every answer that was not as it has to be. */
  answersCompared: number
  wrongAnswers: string[]
  /** Keys of the database that let a row of the run in twice. */
  missingKeys: string[]
  /** Notifications of the bank that are stored more than once. */
  storedTwice: number
  refusals: number
  settleSeconds: number
  reconcile: Record<string, number>
  isClean: boolean
}

const SETTLE_MS_MAX = 120_000
const WRONG_SHOWN_MAX = 20

type Run = {
  portal: PortalProcess
  client: RepeatingClient
  dataDir: string
  port: number
  processes: number
}

/**
 * Clients work without pause while the portal and its PostgreSQL are killed (kill -9) again and again; then the faults
 * end, everything has to settle, and what the clients saw is held against the ledger and the game.
 */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-torture-'))
  const port = await freePort()
  const processes = options.processes ?? 1
  const run: Run = {
    portal: await start({ dataDir, port, processes }),
    client: new RepeatingClient(`http://127.0.0.1:${port}`, seeded(options.seed + 11)),
    dataDir,
    port,
    processes,
  }
  try {
    const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<
      string,
      string
    >
    const seen: Seen[] = []
    const context = { client: run.client, sepaySecret: secrets.SEPAY_WEBHOOK_SECRET as string, seen }
    const random = seeded(options.seed)
    const actors: Actor[] = []
    for (let player = 0; player < options.players; player++) {
      actors.push(await enter(context, `thuthach${options.seed}x${player}`.slice(0, 20), random))
    }
    await underFaults(run, options, async (isOver) => {
      await Promise.all(
        actors.map(async (actor, index) => {
          const own = seeded(options.seed * 1_000 + index)
          while (!isOver()) await act(context, actors, actor, own)
        }),
      )
    }).catch((error: Error) => {
      // What was acknowledged until then is compared all the same.
      run.client.wrongAnswers.push(`the run broke off: ${error.message}`)
    })
    const settleSeconds = await settle(run)
    return await report({ run, seen, options, settleSeconds })
  } finally {
    await run.portal.end()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

const start = ({ dataDir, port, processes }: Pick<Run, 'dataDir' | 'port' | 'processes'>) =>
  startPortalProcess({
    dataDir,
    port,
    environment: { DEMO: '1', LOG_LEVEL: 'warn', TRUST_PROXY: '127.0.0.1', PROCESSES: String(processes) },
  })

async function underFaults(
  run: Run,
  { seed, seconds, kills }: TortureOptions,
  work: (isOver: () => boolean) => Promise<void>,
): Promise<void> {
  const random = seeded(seed + 7)
  let isOver = false
  const working = work(() => isOver)
  // A failed client ends the run at once, not after its last kill.
  working.catch(() => {})
  for (let kill = 0; kill < kills; kill++) {
    const meanMs = (seconds * 1_000) / kills
    await Promise.race([sleep(meanMs / 2 + random.below(meanMs)), working])
    await strike(run, random)
  }
  await Promise.race([sleep(1_000), working])
  isOver = true
  await working
}

async function strike(run: Run, random: Random): Promise<void> {
  // Of several processes one alone dies as often as all of them; the others have to go on.
  if (run.processes > 1 && random.below(2) === 0) {
    const processes = await childrenOf(run.portal.pid)
    kill(processes[random.below(processes.length)] as number)
    return
  }
  const isPostgresFirst = random.below(2) === 0
  if (isPostgresFirst) await killPostgres(run.dataDir)
  await run.portal.end('SIGKILL')
  if (!isPostgresFirst && random.below(3) > 0) await killPostgres(run.dataDir)
  run.portal = await start(run)
}

async function settle(run: Run): Promise<number> {
  const began = performance.now()
  await inDatabase(run, async (db) => {
    for (;;) {
      const open = await db
        .selectFrom('delivery')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('state', 'not in', ['delivered', 'refunded'])
        .executeTakeFirstOrThrow()
      if (Number(open.count) === 0 || performance.now() - began > SETTLE_MS_MAX) return
      await sleep(200)
    }
  })
  return secondsSince(began)
}

async function inDatabase<Result>(
  run: Run,
  work: (db: Db, ownerUrl: string) => Promise<Result>,
): Promise<Result> {
  const log = openLog('error')
  const postgres = await openEmbeddedPostgres({ dataDir: run.dataDir, log: () => {} })
  const db = openDatabase({ url: postgres.url, log, connectionsMax: 2, statementTimeoutMs: 60_000 })
  try {
    return await work(db, postgres.url)
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}

/** The bank gives each transfer a reference, and sends its notification twice. */
async function countStoredTwice(db: Db): Promise<number> {
  const twice = await db
    .selectFrom('payment_event')
    .select('bank_ref')
    .groupBy(['provider', 'bank_ref'])
    .having((eb) => eb.fn.countAll(), '>', 1)
    .execute()
  return twice.length
}

type Finished = { run: Run; seen: Seen[]; options: TortureOptions; settleSeconds: number }

async function report({ run, seen, options, settleSeconds }: Finished): Promise<TortureReport> {
  const { verdict, rows, missing, storedTwice } = await inDatabase(run, async (db, ownerUrl) => ({
    verdict: await judge(db, seen),
    rows: await reconcile(db),
    missing: await missingKeys(ownerUrl),
    storedTwice: await countStoredTwice(db),
  }))
  const { wrongAnswers, answersCompared } = run.client
  const faults =
    verdict.lost +
    verdict.doubled +
    verdict.unasked +
    verdict.balancesWrong +
    verdict.luongWrong +
    verdict.deliveriesOpen +
    wrongAnswers.length +
    missing.length +
    storedTwice +
    rows.reduce((sum, row) => sum + row.count, 0)
  return {
    seed: options.seed,
    kills: options.kills,
    ...verdict,
    repeats: run.client.repeats,
    answersCompared,
    wrongAnswers: wrongAnswers.slice(0, WRONG_SHOWN_MAX),
    missingKeys: missing,
    storedTwice,
    refusals: seen.filter((entry) => entry.act === 'refusal').length,
    settleSeconds,
    reconcile: Object.fromEntries(rows.map((row) => [row.check, row.count])),
    // A run in which nothing was repeated says nothing about repeats.
    isClean: faults === 0 && answersCompared > 0,
  }
}
