import type { Db } from '#server/platform/db/database.ts'
import type { Attempt } from './balancer.ts'
import { isCleanVerdict, judge, SETTLE_MS_MAX, type Counts } from './judge.ts'
import { isFailed, type ClientLog } from './load.ts'
import { inMs } from './statistics.ts'

/**
 * While it lasts, requests may fail: those under way on the process at `via`, those that need the database, all while the
 * balancer is away, and those on a connection that it closes.
 */
export type Away = {
  what: 'process' | 'database' | 'balancer' | 'connections'
  via: number | null
  from: number
  to: number
}

/** A part of a run, which begins with something that is done to the portal, or with load alone. */
export type Phase = {
  name: string
  startedAt: number
  /** When what was killed or stopped does its work again. */
  backAt?: number
  away?: Away | null
}

const CAUSES = {
  process: 'inFlight',
  connections: 'inFlight',
  database: 'databaseAway',
  balancer: 'balancerAway',
} as const
type Cause = (typeof CAUSES)[Away['what']] | 'other'

type Row = Record<Cause, number> & {
  phase: string
  /** Since the run began. */
  atS: number
  seconds: number
  backMs: number | null
  /** From the beginning until the first answer to a request that was sent after it, and to one that changes something. */
  firstAnswerMs: number | null
  firstChangeMs: number | null
  requests: number
  slowestMs: number
}

export type LoadVerdict = {
  phases: Row[]
  requests: number
  acknowledged: number
  streamEvents: number
  streamsEnded: number
  streamsCut: number
  /** All zero in a clean run. */
  books: Counts
  settleSeconds: number
  failures: Record<Cause, number>
  unexplained: string[]
  unexpected: string[]
  isClean: boolean
}

export type Evidence = {
  db: Db
  gameDir: string
  log: ClientLog
  phases: readonly Phase[]
  settleSeconds: number
  /** Streams that were cut need a cause too, and no phase is without a request. */
  isStrict: boolean
  trace(attempts: readonly Attempt[]): Promise<void>
}

/** Compares what the clients wrote down with the books and the game's journal, and finds the cause of each failure. */
export async function judgeLoad(evidence: Evidence): Promise<LoadVerdict> {
  const { db, gameDir, log, phases, settleSeconds, isStrict, trace } = evidence
  const cut = log.streams.filter(({ isWhole }) => !isWhole)
  const failed = [...log.attempts.filter(isFailed), ...(isStrict ? cut : [])]
  await trace(failed)
  const aways = phases.flatMap(({ away }) => away ?? [])
  const causes = new Map(failed.map((attempt) => [attempt, causeIn(aways, attempt)]))
  const verdict = await judge(db, log.seen, gameDir)
  const unexplained = failed.filter((one) => causes.get(one) === 'other').map((one) => lineOf(one, phases))
  const rows = phases.map((phase, index) => rowOf(phase, { log, causes, phases, next: phases[index + 1] }))
  return {
    phases: rows,
    requests: log.attempts.length,
    acknowledged: verdict.acknowledged,
    streamEvents: log.events,
    streamsEnded: log.streams.length,
    streamsCut: cut.length,
    books: { ...verdict.books, ...verdict.reconcile },
    settleSeconds,
    failures: countCauses([...causes.values()]),
    unexplained,
    unexpected: log.unexpected,
    isClean:
      isCleanVerdict(verdict) &&
      unexplained.length + log.unexpected.length === 0 &&
      settleSeconds <= SETTLE_MS_MAX / 1_000 &&
      // A run in which nobody listened, or nothing was done to the portal, proves nothing.
      log.events > 0 &&
      phases.length > 0 &&
      (!isStrict || rows.every(({ requests }) => requests > 0)),
  }
}

function countCauses(causes: readonly Cause[]): Record<Cause, number> {
  const counted = { inFlight: 0, databaseAway: 0, balancerAway: 0, other: 0 }
  for (const cause of causes) counted[cause]++
  return counted
}

function causeIn(aways: readonly Away[], attempt: Attempt): Cause {
  const away = aways.find(
    ({ what, via, from, to }) =>
      (via === null || via === attempt.via) &&
      attempt.startedAt <= to &&
      attempt.endedAt >= from &&
      // nginx itself was away, or its connection: there was no answer.
      (what === 'process' || what === 'database' || attempt.status === null),
  )
  return away === undefined ? 'other' : CAUSES[away.what]
}

type Around = {
  log: ClientLog
  causes: ReadonlyMap<Attempt, Cause>
  phases: readonly Phase[]
  next: Phase | undefined
}

function rowOf({ name, startedAt, backAt }: Phase, { log, causes, phases, next }: Around): Row {
  const end = next?.startedAt ?? log.attempts.reduce((last, { endedAt }) => Math.max(last, endedAt), 0) + 1
  const isInside = ({ endedAt }: Attempt) => endedAt >= startedAt && endedAt < end
  const during = log.attempts.filter(isInside)
  const firstMs = (isMeant: (attempt: Attempt) => boolean): number | null => {
    const ends = log.attempts
      .filter((one) => one.startedAt >= startedAt && !isFailed(one) && isMeant(one))
      .map(({ endedAt }) => endedAt)
    return ends.length === 0 ? null : ends.reduce((first, at) => Math.min(first, at)) - startedAt
  }
  return {
    phase: name,
    atS: Math.round((startedAt - (phases[0]?.startedAt ?? 0)) / 1_000),
    seconds: inMs((end - startedAt) / 1_000),
    backMs: backAt === undefined ? null : backAt - startedAt,
    firstAnswerMs: firstMs(() => true),
    firstChangeMs: firstMs(({ method, status }) => method === 'POST' && status !== null && status < 300),
    requests: during.length,
    slowestMs: during.reduce((most, one) => Math.max(most, one.endedAt - one.startedAt), 0),
    ...countCauses([...causes].flatMap(([one, cause]) => (isInside(one) ? cause : []))),
  }
}

function lineOf(attempt: Attempt, phases: readonly Phase[]): string {
  const { method, path, status, code, requestId, via, from, startedAt, endedAt } = attempt
  const phase = phases.findLast((one) => one.startedAt <= endedAt)
  const after = phase === undefined ? 'before all' : `${endedAt - phase.startedAt} ms after ${phase.name}`
  return (
    `${method} ${path} ${status ?? 'no answer'} ${code} ${requestId} via ${via ?? 'none'} from ${from} ` +
    `in ${endedAt - startedAt} ms, ${after}`
  )
}

/** Tables; what failed without a cause, and what was refused, line by line. */
export function printLoad({
  phases,
  books,
  failures,
  unexplained,
  unexpected,
  ...figures
}: LoadVerdict): void {
  console.table(phases)
  console.table(figures)
  console.table(failures)
  console.table(books)
  for (const line of unexplained) console.log(`  failed without a cause: ${line}`)
  for (const line of unexpected) console.log(`  refused: ${line}`)
}
