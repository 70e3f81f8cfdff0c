import { setTimeout as sleep } from 'node:timers/promises'
import { FAULTS, NO_FAULTS } from '#game-server/faults.ts'
import { seeded } from '../random.ts'
import { countWithoutLease, ofWorkers, watchLeases } from './lease-watch.ts'
import { meddle, shop, type Log } from './people.ts'
import type { Setup } from './setup.ts'
import { faultsOf, judgeDeliveries, type Verdict } from './verdict.ts'
import { killWorkers, withWorker, type Kills, type WorkerPace } from './workers.ts'

export type DeliveryTortureOptions = {
  seed: number
  deliveries: number
  /** At each named point of a worker, at least. */
  killsEach: number
  gameKills: number
  /** The mean pause of a buyer; with it the run is longer than its kills. */
  pauseMs: number
  pace: WorkerPace
  slowMs: number
  /** The share of calls to the game that meet a fault. */
  faultRate: number
  /** The longest pause of an operator. */
  meddlingMsMax: number
}

export type DeliveryTortureReport = Verdict & {
  seed: number
  deliveries: number
  gifts: number
  workerKills: Kills
  gameKills: number
  operatorActs: Record<string, number>
  faultsMet: Record<string, number>
  /** Kinds that no call has met: with one of them the run has not shown what it is for. */
  faultsUnmet: string[]
  attempts: number
  /** Outcomes that were written by a worker whose lease had been lost. */
  withoutLease: number
  stormSeconds: number
  settleSeconds: number
  isClean: boolean
}

const SETTLE_MS_MAX = 600_000

/**
 * Purchases go out to a game that does everything wrong, while workers and the game itself are killed and operators
 * meddle. Then the faults end, everything has to come to its end, and three books are held against each other: the
 * players' own log, the portal's ledger and the game's journal.
 */
export async function tortureDeliveries(
  setup: Setup,
  options: DeliveryTortureOptions,
  log: Log,
): Promise<DeliveryTortureReport> {
  await watchLeases(setup)
  const began = performance.now()
  const workerKills = await storm(setup, options, log)
  const faultsMet = await setup.faultsMet()
  const healed = performance.now()
  await setup.change(NO_FAULTS)
  await withWorker(ofWorkers(setup.environment), options.pace, () => settle(setup))
  const settled = performance.now()
  const verdict = await judgeDeliveries(setup, log)
  const withoutLease = await countWithoutLease(setup)
  const faultsUnmet = FAULTS.filter((fault) => !faultsMet[fault])
  const isKilledEnough = Object.values(workerKills).every((count) => count >= options.killsEach)
  return {
    seed: options.seed,
    deliveries: log.bought.length,
    gifts: log.bought.filter(({ kind }) => kind === 'gift').length,
    workerKills,
    gameKills: options.gameKills,
    operatorActs: log.operatorActs,
    faultsMet,
    faultsUnmet,
    attempts: await countAttempts(setup),
    stormSeconds: secondsBetween(began, healed),
    settleSeconds: secondsBetween(healed, settled),
    ...verdict,
    withoutLease,
    isClean: faultsOf(verdict) + withoutLease === 0 && isKilledEnough && faultsUnmet.length === 0,
  }
}

const secondsBetween = (from: number, to: number) => Math.round((to - from) / 100) / 10

/** Shops, operators and deaths side by side, until everything was bought and every point has had its deaths. */
async function storm(setup: Setup, options: DeliveryTortureOptions, log: Log): Promise<Kills> {
  const { seed, deliveries, killsEach, gameKills, pauseMs, pace } = options
  const { slowMs, faultRate, meddlingMsMax } = options
  await setup.change({ kinds: [...FAULTS], rate: faultRate, seed, slowMs })
  let isClosed = false
  let hasFailed = false
  const { promise: isManned, resolve: onWorking } = Promise.withResolvers<void>()
  const shopping = isManned
    .then(() =>
      shop({
        setup,
        random: seeded(seed),
        log,
        purchases: deliveries,
        pauseMs,
        isFailing: () => hasFailed,
      }),
    )
    .finally(() => (isClosed = true))
  const killing = killWorkers(
    {
      environment: ofWorkers(setup.environment),
      pace,
      killsMin: killsEach,
      arrivalsMax: 12,
      random: seeded(seed + 1),
      workers: 2,
      onWorking,
    },
    () => isClosed,
  )
  const work = [
    shopping,
    killing,
    meddle(setup, { random: seeded(seed + 2), log, pauseMs: meddlingMsMax, isOver: () => isClosed }),
    killGameNowAndThen(setup, gameKills, { log, deliveries, isOver: () => isClosed }),
  ]
  try {
    await Promise.all(work)
  } catch (error) {
    hasFailed = true
    await Promise.allSettled(work)
    throw error
  }
  return killing
}

/** Spread over the purchases, not over time. */
async function killGameNowAndThen(
  setup: Setup,
  kills: number,
  { log, deliveries, isOver }: { log: Log; deliveries: number; isOver: () => boolean },
): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    const due = (deliveries * kill) / (kills + 1)
    while (log.bought.length < due && !isOver()) await sleep(50)
    await setup.killGame()
  }
}

async function settle({ db }: Setup): Promise<void> {
  const deadline = performance.now() + SETTLE_MS_MAX
  for (;;) {
    const { count } = await db
      .selectFrom('delivery')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('state', 'not in', ['delivered', 'refunded'])
      .executeTakeFirstOrThrow()
    if (Number(count) === 0 || performance.now() > deadline) return
    await sleep(100)
  }
}

async function countAttempts({ db }: Setup): Promise<number> {
  const { attempts } = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.sum<string>('attempt').as('attempts'))
    .executeTakeFirstOrThrow()
  return Number(attempts)
}
