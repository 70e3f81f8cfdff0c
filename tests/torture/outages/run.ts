import { setTimeout as sleep } from 'node:timers/promises'
import { whileWrong } from '../faults/clock.ts'
import { clockProblem, emptyDisk, fillDisk, mayMount } from '../../harness/faults.ts'
import { asFault, away, type Outage } from './outage.ts'
import { mailAway } from './mail.ts'
import { providerSilent } from './provider.ts'
import { inLanes, possibleOf, worldJob, type TableReport } from '../faults/lanes.ts'

const REFILL_MS = 2_000
const HOUR = 3_600

const fullDisk: Outage = {
  name: "PostgreSQL's disk is full",
  needs: { disk: true },
  missing: () => (mayMount() ? null : 'a small disk to fill needs root'),
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
  needs: { clock: true },
  missing: clockProblem,
  apply: (run, ms) => whileWrong(run, aheadSeconds, () => sleep(ms)),
})

const databaseAway: Outage = {
  name: 'PostgreSQL is away',
  apply: ({ world }, ms) => world.postgres.restart(ms),
}

const gameAway: Outage = {
  name: 'the game is away',
  seconds: 600,
  madeUpSecondsMax: 420,
  apply: ({ world }, ms) => away(world.toGame, ms),
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
const OUTAGES: Readonly<Record<string, Outage>> = {
  O1: gameAway,
  O2: providerSilent(),
  O3: mailAway(),
  O4: fullDisk,
  O5: databaseAway,
  O6: wrongClock("the portal's clock is a day ahead", 24 * HOUR),
  O7: wrongClock("the portal's clock is an hour behind", -HOUR),
}

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
  const { possible, skipped } = possibleOf(Object.entries(OUTAGES))
  const options = { seed, players, seconds: Infinity }
  const jobs = possible.map(([id, outage]) => {
    const { seconds: usual = 60, madeUpSecondsMax = 0 } = outage
    const seconds = Math.min(usual, secondsMax)
    return worldJob({ [id]: asFault(outage, seconds) }, options, seconds + madeUpSecondsMax)
  })
  return inLanes(jobs, { lanes, skipped, figures: FIGURES })
}
