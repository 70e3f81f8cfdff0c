import { setTimeout as sleep } from 'node:timers/promises'
import { checkCodes, checkLimits, whileUnsettled } from '../faults/clock.ts'
import { clockProblem, emptyDisk, fillDisk, mayMount } from '../../harness/faults.ts'
import type { FaultRun } from '../faults/fault.ts'
import { asFault, away, type Outage } from './outage.ts'
import { mailAway } from './mail.ts'
import { providerSilent } from './provider.ts'
import { AROUND_SECONDS_MAX, inLanes, type TableReport } from '../faults/lanes.ts'
import { runFaults } from '../faults/run.ts'

const REFILL_MS = 2_000
const HOUR = 3_600

const fullDisk: Outage = {
  name: "PostgreSQL's disk is full",
  seconds: 60,
  needs: { disk: true },
  missing: () => (mayMount() ? null : 'a small disk to fill needs root'),
  madeUpSecondsMax: 0,
  async apply({ world: { postgres } }, ms) {
    // Whatever PostgreSQL gives back meanwhile is taken again.
    for (const end = performance.now() + ms; performance.now() < end; await sleep(REFILL_MS)) {
      await fillDisk(postgres.dataDir)
    }
    await emptyDisk(postgres.dataDir)
    // It may have ended of it; a service manager starts it again.
    await postgres.keepRunning()
  },
}

const wrongClock = (name: string, aheadSeconds: number): Outage => ({
  name,
  seconds: 60,
  needs: { clock: true },
  missing: clockProblem,
  madeUpSecondsMax: 0,
  async apply(run: FaultRun, ms: number) {
    await whileUnsettled(run, async (set) => {
      await set(aheadSeconds)
      await sleep(ms)
      await checkLimits(run)
      await checkCodes(run)
    })
  },
})

const databaseAway: Outage = {
  name: 'PostgreSQL is away',
  seconds: 60,
  needs: {},
  madeUpSecondsMax: 0,
  apply: ({ world }, ms) => world.postgres.restart(ms),
}

const gameAway: Outage = {
  name: 'the game is away',
  seconds: 600,
  needs: {},
  madeUpSecondsMax: 420,
  async apply({ world }, ms) {
    await away(world.toGame, ms)
  },
  /** What was bought meanwhile has been delivered. */
  async isMadeUp({ world, load }) {
    const bought = load.confirmed.flatMap((confirmed) =>
      confirmed.act === 'exchange' ? [confirmed.deliveryId] : [],
    )
    const open = await world.db
      .selectFrom('delivery')
      .select('id')
      .where('id', 'in', bought)
      .where('state', 'not in', ['delivered', 'refunded'])
      .where('attempt', '>', 1)
      .limit(1)
      .execute()
    return open.length === 0
  },
}

/** Longest first, so that the others go on beside it. */
export const OUTAGES: readonly Outage[] = [
  gameAway,
  providerSilent(),
  mailAway(),
  fullDisk,
  databaseAway,
  wrongClock("the portal's clock is a day ahead", 24 * HOUR),
  wrongClock("the portal's clock is an hour behind", -HOUR),
]

const FIGURES = [
  'pages opened',
  'pages not shown',
  'slowest page, ms',
  '503 with Retry-After',
  'changed again after, s',
  'made up for after, s',
]

export type OutagesOptions = { seed: number; lanes: number; players: number; secondsMax: number }

/** Everything that the portal needs is away once, each in a world of its own with load; one table at the end. */
export async function runOutages({ seed, lanes, players, secondsMax }: OutagesOptions): Promise<TableReport> {
  const skipped: string[] = []
  const jobs = OUTAGES.flatMap((outage, at) => {
    const fault = `O${at + 1}`
    const missing = outage.missing?.() ?? null
    if (missing !== null) {
      skipped.push(`“${outage.name}” was skipped: ${missing}`)
      return []
    }
    const seconds = Math.min(outage.seconds, secondsMax)
    const run = () => runFaults([{ [fault]: asFault(outage, seconds) }], { seed, seconds: Infinity, players })
    const limit = seconds + outage.madeUpSecondsMax + AROUND_SECONDS_MAX
    return [{ rows: [{ fault, name: outage.name, seed }], secondsMax: limit, run }]
  })
  return inLanes(jobs, { lanes, skipped, figures: FIGURES })
}
