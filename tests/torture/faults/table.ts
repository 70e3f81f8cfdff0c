import { tortureNotices } from '../notices/notices.ts'
import { tortureRestore } from '../restore/restore.ts'
import { offending } from '../../harness/verification.ts'
import type { Row } from '../../harness/report.ts'
import { exhaustedDatabase } from './database.ts'
import { wrongClock } from './clock.ts'
import type { WorldFault } from './fault.ts'
import { forgedNotices } from './forged.ts'
import { badInputs } from './inputs.ts'
import { AROUND_SECONDS_MAX, inLanes, type Job, type TableReport } from './lanes.ts'
import { doubleSpends, firstTimes, rings, sameKeys } from './money.ts'
import { cutConnections, failingGame } from './network.ts'
import { killedApps, killedPostgres, killedWorkers } from './processes.ts'
import { modelled } from './properties.ts'
import { racedRefunds } from './refunds.ts'
import { runFaults } from './run.ts'

export type Own = Omit<Row, 'fault' | 'name' | 'seed'>

/** A fault with a torture of its own, since everything is lost in it, or only an owner could prepare it. */
export type OwnFault = { name: string; run(pace: { seed: number; seconds: number }): Promise<Own> }

const NOTICES_A_SECOND = 12

/** T5: notifications of four providers, up to ten times, at once, shuffled, up to three days late, half of them damaged. */
const repeatedNotices: OwnFault = {
  name: 'notifications ×1 to ×10, at once, shuffled, days late, after expiry',
  async run({ seed, seconds }) {
    const notices = Math.ceil(NOTICES_A_SECOND * seconds)
    const report = await tortureNotices({ seed, notices, lanes: 8, seconds })
    const { books, closing, inbox } = report
    return {
      seconds: report.seconds,
      operations: report.sent,
      acknowledged: report.notices,
      injected: report.sent - report.notices + report.mangled,
      detail: { repeated: report.sent - report.notices, damaged: report.mangled, credited: report.credited },
      settleSeconds: report.settleSeconds,
      lost: Math.max(0, books.expectedVnd - books.creditedVnd),
      doubled: report.notOnce.length + Math.max(0, books.creditedVnd - books.expectedVnd),
      books: offending({
        wallets: report.wallets,
        inbox: inbox.missing.length + inbox.twice.length,
        closing: closing.differences.length,
      }),
      reconcile: offending(report.reconcile),
      wrong: [...report.wrongAnswers, ...report.wrongFates],
      isClean: report.isClean,
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
    const { lost = 0, deliveredTwice = 0, sentAgain = 0, ...books } = round.books
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
      lost,
      doubled: deliveredTwice + sentAgain,
      books,
      reconcile: round.reconcile,
      wrong: round.isClean ? [] : [`not clean: ${JSON.stringify(round)}`],
      isClean: round.isClean,
    }
  },
}

export const OWN_FAULTS = { T5: repeatedNotices, T15: restored }

/** What is done to the portal, one at a time in a world with load. */
export const WORLD_FAULTS = {
  T1: killedApps,
  T2: killedPostgres,
  T3: killedWorkers,
  T4: cutConnections,
  T11: wrongClock,
  T12: failingGame,
  T14: exhaustedDatabase,
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
  ...OWN_FAULTS,
}
export const NAMES = Object.keys(FAULTS).toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
const PLAYERS = 6

export type TableOptions = { faults: string; seeds: number; seconds: number; seed: number; lanes: number }

/** `T1,T4` or `all`. */
function chosen(text: string): string[] {
  if (text === 'all') return NAMES
  const requested = text.split(',').map((name) => name.trim().toUpperCase())
  const unknown = requested.filter((name) => !NAMES.includes(name))
  if (unknown.length > 0)
    throw new Error(`no such fault: ${unknown.join(', ')}; there are ${NAMES.join(', ')}`)
  return requested
}

/** Each fault with each seed, those of clients side by side in one world; so many worlds at once as there are lanes. */
export async function runTable({ faults, seeds, seconds, seed, lanes }: TableOptions): Promise<TableReport> {
  const { batches, skipped } = batchesOf(chosen(faults))
  const jobs = Array.from({ length: seeds }, (_, number) => seed + number).flatMap((each) =>
    batches.map((batch) => jobOf(batch, { seed: each, seconds })),
  )
  return inLanes(jobs, { lanes, skipped })
}

type Batch = Record<string, WorldFault> | { id: string; own: OwnFault }

function batchesOf(names: readonly string[]): { batches: Batch[]; skipped: string[] } {
  const skipped: string[] = []
  const atOnce: Record<string, WorldFault> = {}
  const batches: Batch[] = []
  for (const id of names) {
    const fault = FAULTS[id] as WorldFault | OwnFault
    const missing = 'inject' in fault ? (fault.missing?.() ?? null) : null
    if (missing !== null) skipped.push(`${id} was skipped: ${missing}`)
    else if (!('inject' in fault)) batches.push({ id, own: fault })
    else if (id in CLIENT_FAULTS) atOnce[id] = fault
    else batches.push({ [id]: fault })
  }
  if (Object.keys(atOnce).length > 0) batches.push(atOnce)
  return { batches, skipped }
}

function jobOf(batch: Batch, pace: { seed: number; seconds: number }): Job {
  const { seed } = pace
  const secondsMax = 2 * pace.seconds + AROUND_SECONDS_MAX
  if (isOwn(batch)) {
    const { id, own } = batch
    const named = { fault: id, name: own.name, seed }
    return { rows: [named], secondsMax, run: async () => [{ ...named, ...(await own.run(pace)) }] }
  }
  const rows = Object.entries(batch).map(([fault, { name }]) => ({ fault, name, seed }))
  return { rows, secondsMax, run: () => runFaults([batch], { ...pace, players: PLAYERS }) }
}

const isOwn = (batch: Batch): batch is { id: string; own: OwnFault } => 'own' in batch
