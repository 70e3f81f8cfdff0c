import { tortureNotices } from '../notices/notices.ts'
import { tortureRestore } from '../restore/restore.ts'
import type { Row } from '../../harness/report.ts'
import { gameLogins } from './accounts.ts'
import { exhaustedDatabase } from './database.ts'
import { wrongClock } from './clock.ts'
import { columnsOf, type WorldFault } from './fault.ts'
import { fees } from './fees.ts'
import { forgedNotices } from './forged.ts'
import { givenAgain } from './given-again.ts'
import { badInputs } from './inputs.ts'
import {
  AROUND_SECONDS_MAX,
  inLanes,
  possibleOf,
  worldJob,
  type Job,
  type Running,
  type TableReport,
} from './lanes.ts'
import { doubleSpends, firstTimes, rings, sameKeys } from './money.ts'
import { cutConnections, failingGame } from './network.ts'
import { ordersThatBuy } from './order-purchases.ts'
import { killedApps, killedPostgres, killedWorkers } from './processes.ts'
import { modelled } from './properties.ts'
import { racedRefunds } from './refunds.ts'
import { signUpRush } from './sign-up-rush.ts'

type Own = Omit<Row, 'fault' | 'name' | 'seed'>
type Pace = { seed: number; seconds: number }

/** A fault with a torture of its own, since everything is lost in it, or only an owner could prepare it. */
type OwnFault = Pick<WorldFault, 'name' | 'missing'> & { run(pace: Pace): Promise<Own> }

const NOTICES_A_SECOND = 12

/** T5: notifications of four providers, up to ten times, at once, shuffled, up to three days late, half of them damaged. */
const repeatedNotices: OwnFault = {
  name: 'notifications ×1 to ×10, at once, shuffled, days late, after expiry',
  async run({ seed, seconds }) {
    const notices = Math.ceil(NOTICES_A_SECOND * seconds)
    const report = await tortureNotices({ seed, notices, lanes: 8, seconds })
    const { sent, mangled, credited, settleSeconds, wrong, isClean } = report
    const repeated = sent - report.notices
    return {
      seconds: report.seconds,
      operations: sent,
      acknowledged: report.notices,
      injected: repeated + mangled,
      detail: { repeated, damaged: mangled, credited },
      settleSeconds,
      ...columnsOf(report),
      wrong,
      isClean,
    }
  },
}

/** Before the backup, until the loss, and after the restore. */
const PHASES = 3

/** T15: a backup under load, the portal lost, restored beside a game and a bank that know more. */
const restored: OwnFault = {
  name: 'restored to an earlier moment, beside a game and a bank that know more',
  async run({ seed, seconds }) {
    const report = await tortureRestore({ seed, rounds: 1, players: 6, seconds: seconds / PHASES })
    const [round] = report.rounds
    if (!round) throw new Error('a restore without a round')
    return {
      seconds,
      operations: round.acknowledged,
      acknowledged: round.acknowledged,
      injected: 1,
      detail: {
        'open at the restore': round.openAtRestore,
        'goods forgotten and listed': round.forgottenGoods,
        'accounts gone': round.goneAccounts,
      },
      settleSeconds: round.settleSeconds,
      ...columnsOf(round),
      wrong: round.isClean ? [] : [`not clean: ${JSON.stringify(round)}`],
      isClean: round.isClean,
    }
  },
}

/** What is done to the portal, one at a time in a world with load. */
export const WORLD_FAULTS = {
  T1: killedApps,
  T2: killedPostgres,
  T3: killedWorkers,
  T4: cutConnections,
  T11: wrongClock,
  T12: failingGame,
  T14: exhaustedDatabase,
  T19: gameLogins,
  T20: givenAgain,
  T21: fees,
  T22: signUpRush,
  T23: ordersThatBuy,
} satisfies Record<string, WorldFault>

/** What clients do: side by side in one world, each with players and a log of its own. */
export const CLIENT_FAULTS = {
  T6: forgedNotices,
  T7: doubleSpends,
  T8: sameKeys,
  T9: rings,
  T10: firstTimes,
  T13: racedRefunds,
  T17: modelled,
  T18: badInputs,
} satisfies Record<string, WorldFault>

const FAULTS: Readonly<Record<string, WorldFault | OwnFault>> = {
  ...WORLD_FAULTS,
  ...CLIENT_FAULTS,
  T5: repeatedNotices,
  T15: restored,
}
export const NAMES = Object.keys(FAULTS).toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
const PLAYERS = 6

export type TableOptions = Pace & Pick<Running, 'lanes'> & { names: readonly string[]; seeds: number }

/** Each fault with each seed, those of clients side by side in one world; so many worlds at once as there are lanes. */
export async function runTable({ names, seeds, seconds, seed, lanes }: TableOptions): Promise<TableReport> {
  const { possible, skipped } = possibleOf(names.map((id) => [id, FAULTS[id] as WorldFault | OwnFault]))
  const jobs = Array.from({ length: seeds }, (_, number) =>
    jobsOf(possible, { seed: seed + number, seconds }),
  )
  return inLanes(jobs.flat(), { lanes, skipped })
}

function jobsOf(faults: readonly (readonly [string, WorldFault | OwnFault])[], pace: Pace): Job[] {
  const { seed, seconds } = pace
  const worldOf = (side: Record<string, WorldFault>) =>
    worldJob(side, { ...pace, players: PLAYERS }, 2 * seconds)
  const atOnce: Record<string, WorldFault> = {}
  const jobs: Job[] = []
  for (const [fault, given] of faults) {
    if ('run' in given) {
      const named = { fault, name: given.name, seed }
      const run = async () => [{ ...named, ...(await given.run(pace)) }]
      jobs.push({ rows: [named], secondsMax: 2 * seconds + AROUND_SECONDS_MAX, run })
    } else if (fault in CLIENT_FAULTS) atOnce[fault] = given
    else jobs.push(worldOf({ [fault]: given }))
  }
  return Object.keys(atOnce).length > 0 ? [...jobs, worldOf(atOnce)] : jobs
}
