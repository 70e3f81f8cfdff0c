import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { JOURNAL_FILE } from '#game-server/journal.ts'
import { PAYMENT_ENVIRONMENT } from '#tests/support/payment-keys.ts'
import { runCommand } from '#tests/support/processes.ts'
import {
  DEMO_ENVIRONMENT,
  newFolder,
  openRunDatabase,
  openSlot,
  SEPAY_TOKEN,
  startBank,
  startGame,
  type Cleanup,
} from '../harness/fleet.ts'
import { countsOf, secondsSince } from '../harness/numbers.ts'
import { isVerified, settle, shown, verify } from '../harness/verification.ts'
import { openCrowd, type Crowd } from './crowd.ts'
import { faultsOf, type Fault } from './faults.ts'
import { lostOf, unnamedIn } from './lost.ts'
import { openPatroni } from './patroni.ts'
import { openPgbouncer } from './pgbouncer.ts'
import { tryRunbook } from './runbook.ts'

export type DrillOptions = {
  seed: number
  players: number
  /** How often the primary is paused and resumed. */
  pauses: number
  isStrict: boolean
  /** Only faults with this in their name. */
  only: string
  /** Where logs of etcd, Patroni and the portal stay after the run. */
  keep?: string
  say(line: string): void
}

const STEADY_MS = 10_000

type World = Awaited<ReturnType<typeof openWorld>>

async function openWorld(cleanup: Cleanup, { isStrict, keep }: DrillOptions) {
  const folder = await newFolder(cleanup, 'failover')
  const cluster = await openPatroni(cleanup, keep ?? folder, isStrict)
  const { adminUrl, machine } = await cluster.healed()
  const pgbouncer = await openPgbouncer(cleanup, { folder, adminUrl, address: machine.address })
  const game = await startGame(cleanup, join(folder, 'game'))
  const bank = await startBank(cleanup)
  const environment = {
    ...DEMO_ENVIRONMENT,
    ...PAYMENT_ENVIRONMENT,
    ...game.environment,
    SEPAY_API_TOKEN: SEPAY_TOKEN,
    SEPAY_BASE_URL: bank.url,
    DATABASE_URL: cluster.ownerUrl,
    LOG_LEVEL: 'info',
  }
  const dataDir = join(folder, 'portal')
  const logOf = (name: string) => join(keep ?? folder, `portal-${name}.log`)
  const throughPgbouncer = {
    ...environment,
    DATABASE_URL: pgbouncer.url(cluster.ownerUrlAt(await cluster.healed())),
    DATABASE_DIRECT_URL: cluster.ownerUrl,
  }
  const slot = (kind: 'web' | 'worker', name: string, own: Record<string, string>) =>
    openSlot(cleanup, kind, { dataDir, environment: own, logFile: logOf(name), isKilledAtEnd: true })
  const [web, pooled, worker] = [
    await slot('web', 'web', environment),
    await slot('web', 'pooled', throughPgbouncer),
    await slot('worker', 'worker', environment),
  ]
  for (const one of [web, pooled, worker]) await one.start()
  const startedAt = new Date().toISOString()
  return {
    cluster,
    pgbouncer,
    game,
    bank,
    environment: { ...environment, DATA_DIR: dataDir },
    logFiles: ['web', 'pooled', 'worker'].map(logOf),
    urls: [web.url, pooled.url],
    startedAt,
  }
}

type Row = {
  fault: string
  /** Until a primary has a standby again that it waits for. */
  healedS: number
  /** The longest time without an acknowledged act. */
  silentS: number
  acknowledged: number
  primary: string
  /** Of Patroni, by the runbook. */
  restarts: number
  afterFailover: number
}

/** docs/runbooks/failover.md with real Patroni and etcd under load; compares what clients were told with what is left. */
export async function drill(options: DrillOptions) {
  await using cleanup = new AsyncDisposableStack()
  const world = await openWorld(cleanup, options)
  const { cluster, bank, urls, game } = world
  const { seed, players, isStrict } = options
  const onNotified: Parameters<typeof openCrowd>[0]['onNotified'] = (transfer) =>
    void bank.transfers.push(transfer)
  const runbook = isStrict ? await tryRunbook(cluster) : []
  const crowd = await openCrowd({ urls, seed, players, onNotified })
  cleanup.defer(() => crowd.stop())
  const rows: Row[] = []
  let named = ''
  for (const fault of faultsOf(options)) {
    await sleep(STEADY_MS)
    options.say(fault.name)
    const { row, output } = await suffer(world, crowd, fault)
    rows.push(row)
    named = output
    options.say(JSON.stringify(row))
    for (const line of output
      .split('\n')
      .filter((one) => row.afterFailover !== 0 || one.startsWith('after-failover')))
      options.say(`  ${line}`)
  }
  await crowd.stop()
  const db = await openRunDatabase(cleanup, cluster.ownerUrlAt(await cluster.healed()))
  const settleSeconds = await settle(db)
  const verification = await verify(db, crowd.confirmed, game.dataDir)
  const lost = await lostOf(db, crowd)
  const unnamed = unnamedIn(lost, named)
  const isClean = isStrict
    ? isVerified(verification) &&
      lost.length + crowd.problems.length + runbook.length === 0 &&
      rows.every(({ afterFailover }) => afterFailover === 0)
    : // A run that lost nothing proves nothing.
      lost.length > 0 && unnamed.length === 0 && verification.books['doubled'] === 0
  return {
    seed,
    isStrict,
    rows,
    ...shown(verification),
    registered: crowd.registered.length,
    settleSeconds,
    lost: Object.fromEntries(countsOf(lost.map((one) => one.split(' ')[0]))),
    unnamed,
    problems: crowd.problems,
    runbook,
    isClean,
  }
}

async function suffer({ cluster, pgbouncer, ...world }: World, crowd: Crowd, fault: Fault) {
  const began = performance.now()
  const beganAt = Date.now()
  const before = crowd.times.length
  const restartsBefore = cluster.restarts()
  await fault.run(cluster)
  const { name: primary, machine } = await cluster.healed()
  await pgbouncer.leadTo(machine.address)
  const healedS = secondsSince(began)
  await untilAcknowledged(crowd)
  const { code, output, errors } = await afterFailover(world)
  const moments = [beganAt, ...crowd.times.slice(before)]
  const silent = moments.map((at, index) => at - (moments[index - 1] ?? at))
  const row: Row = {
    fault: fault.name,
    healedS,
    silentS: Math.round(Math.max(...silent) / 100) / 10,
    acknowledged: moments.length - 1,
    primary,
    restarts: cluster.restarts() - restartsBefore,
    afterFailover: code,
  }
  return { row, output: output + errors }
}

const ACKNOWLEDGED_MS_MAX = 120_000

/** Until clients are told of acts again, or all of them have stopped. */
async function untilAcknowledged({ times }: Crowd): Promise<void> {
  const enough = times.length + 5
  for (const end = Date.now() + ACKNOWLEDGED_MS_MAX; Date.now() < end; await sleep(100))
    if (times.length >= enough) return
}

const afterFailover = ({ environment, logFiles, game, startedAt }: Omit<World, 'cluster' | 'pgbouncer'>) =>
  runCommand(
    { ownerUrl: environment.DATABASE_URL },
    [
      'after-failover',
      '--since',
      startedAt,
      '--log',
      ...logFiles,
      '--record',
      join(game.dataDir, JOURNAL_FILE),
    ],
    environment,
  )
