import { reconcile } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ClientLog } from '../../upgrade/clients.ts'
import type { Attempt } from '../../upgrade/doors.ts'
import { isFailed } from '../../upgrade/verdict.ts'
import { judgeGame } from '../deliveries/verdict.ts'
import { judgeBooks } from '../judge.ts'
import type { Away, Fault } from './faults.ts'

type FaultRow = {
  fault: string
  /** Since the run began. */
  atS: number
  /** From the blow until what was hit did its work again. */
  backMs: number
  /** From the blow until the first answer to a request that was sent after it, and to one that changes something. */
  firstAnswerMs: number | null
  firstChangeMs: number | null
  requests: number
  inFlight: number
  databaseAway: number
  doorAway: number
  other: number
}

export type ClusterVerdict = {
  faults: FaultRow[]
  requests: number
  acknowledged: number
  streamEvents: number
  streamsReopened: number
  /** All zero in a clean run. */
  books: Record<string, number>
  settleSeconds: number
  failures: { inFlight: number; databaseAway: number; doorAway: number; other: number }
  unexplained: string[]
  unexpected: string[]
  isClean: boolean
}

export type ClusterEvidence = {
  db: Db
  gameDir: string
  log: ClientLog
  faults: readonly Fault[]
  startedAt: number
  settleSeconds: number
  trace(attempts: readonly Attempt[]): Promise<void>
}

type Cause = keyof ClusterVerdict['failures']

const causeOf: Record<Away['what'], Cause> = {
  process: 'inFlight',
  database: 'databaseAway',
  door: 'doorAway',
  connections: 'inFlight',
}

const SETTLE_S_MAX = 120

/** Holds what the clients wrote down against the books and the game's journal, and finds the cause of each failure. */
export async function judgeCluster(evidence: ClusterEvidence): Promise<ClusterVerdict> {
  const { db, gameDir, log, faults, startedAt, settleSeconds, trace } = evidence
  const failed = log.attempts.filter(isFailed)
  await trace(failed)
  const causes = new Map(failed.map((attempt) => [attempt, causeIn(faults, attempt)]))
  const { acknowledged, refunded, ...ledger } = await judgeBooks(db, log.seen)
  const books = {
    ...ledger,
    ...(await judgeGame(db, { gameDir, seen: log.seen, refunded })),
    ...Object.fromEntries((await reconcile(db)).map(({ check, count }) => [check, count])),
  }
  const unexplained = failed.filter((one) => causes.get(one) === 'other').map((one) => lineOf(one, faults))
  const wrong = Object.values(books).reduce((sum, count) => sum + count, 0)
  return {
    faults: faults.map((fault, index) => rowOf(fault, { log, causes, startedAt, next: faults[index + 1] })),
    requests: log.attempts.length,
    acknowledged,
    streamEvents: log.events,
    streamsReopened: log.streams.length,
    books,
    settleSeconds,
    failures: countCauses([...causes.values()]),
    unexplained,
    unexpected: log.unexpected,
    isClean:
      wrong + unexplained.length + log.unexpected.length === 0 &&
      settleSeconds <= SETTLE_S_MAX &&
      // A run in which nobody did anything proves nothing.
      acknowledged > 0 &&
      log.events > 0 &&
      faults.length > 0,
  }
}

const countCauses = (causes: readonly Cause[]): ClusterVerdict['failures'] => {
  const counted = { inFlight: 0, databaseAway: 0, doorAway: 0, other: 0 }
  for (const cause of causes) counted[cause]++
  return counted
}

function causeIn(faults: readonly Fault[], attempt: Attempt): Cause {
  const away = faults
    .flatMap((fault) => (fault.away === null ? [] : [fault.away]))
    .find(
      ({ what, via, from, to }) =>
        (via === null || via === attempt.via) &&
        attempt.startedAt <= to &&
        attempt.endedAt >= from &&
        // nginx itself was gone, or its connection: there was no answer.
        (what === 'process' || what === 'database' || attempt.status === null),
    )
  return away === undefined ? 'other' : causeOf[away.what]
}

type Seen = {
  log: ClientLog
  causes: ReadonlyMap<Attempt, Cause>
  startedAt: number
  next: Fault | undefined
}

function rowOf(fault: Fault, { log, causes, startedAt, next }: Seen): FaultRow {
  const end = next?.startedAt ?? Number.POSITIVE_INFINITY
  const during = log.attempts.filter((one) => one.endedAt >= fault.startedAt && one.endedAt < end)
  const firstMs = (isMeant: (attempt: Attempt) => boolean): number | null => {
    const ends = log.attempts
      .filter((one) => one.startedAt >= fault.startedAt && !isFailed(one) && isMeant(one))
      .map(({ endedAt }) => endedAt)
    return ends.length === 0 ? null : ends.reduce((first, at) => Math.min(first, at)) - fault.startedAt
  }
  const counted = countCauses(during.flatMap((one) => causes.get(one) ?? []))
  return {
    fault: fault.name,
    atS: Math.round((fault.startedAt - startedAt) / 1_000),
    backMs: fault.backAt - fault.startedAt,
    firstAnswerMs: firstMs(() => true),
    firstChangeMs: firstMs(({ method, status }) => method === 'POST' && status !== null && status < 300),
    requests: during.length,
    ...counted,
  }
}

function lineOf(attempt: Attempt, faults: readonly Fault[]): string {
  const { method, path, status, code, requestId, via, startedAt, endedAt } = attempt
  const last = faults.findLast((fault) => fault.startedAt <= endedAt)
  const after = last === undefined ? 'before all faults' : `${endedAt - last.startedAt} ms after ${last.name}`
  return `${method} ${path} ${status ?? 'no answer'} ${code} ${requestId} via ${via ?? 'none'} in ${endedAt - startedAt} ms, ${after}`
}
