import { setTimeout as sleep } from 'node:timers/promises'
import { reconcile } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { judgeGame } from '../torture/deliveries/verdict.ts'
import { judgeBooks } from '../torture/judge.ts'
import type { ClientLog } from './clients.ts'
import type { Attempt } from './doors.ts'

export type Kill = { port: number; from: number; to: number }
export type Phase = { name: string; startedAt: number }

export type Row = { phase: string; seconds: number; requests: number; failed: number; slowestMs: number }

export type Verdict = {
  phases: Row[]
  /** By the clients' own log against ledger, game and reconciliation; all but the first are zero in a clean run. */
  acknowledged: number
  books: Record<string, number>
  /** Failed requests and cut streams by cause. */
  inFlightOnKilled: number
  streamsCutByKill: number
  streamsMovedByStops: number
  streamEvents: number
  unexplained: string[]
  unexpected: string[]
  isClean: boolean
}

export const isFailed = ({ status }: Attempt) => status === null || status >= 500

/** Under way when the process was killed, and asked of that process by the door's own account. */
const isInFlight = ({ startedAt, endedAt, via }: Attempt, kills: readonly Kill[]) =>
  kills.some(({ port, from, to }) => via === port && startedAt <= to && endedAt >= from)

const lineOf = (
  { method, path, status, code, via, from, startedAt, endedAt }: Attempt,
  phases: readonly Phase[],
) =>
  `${phaseAt(phases, endedAt)}: ${method} ${path} ${status ?? 'no answer'} ${code} via ${via ?? 'none'} from ${from}, ` +
  `${new Date(startedAt).toISOString()} + ${endedAt - startedAt} ms`

const phaseAt = (phases: readonly Phase[], at: number) =>
  phases.findLast(({ startedAt }) => startedAt <= at)?.name ?? 'before'

export type Evidence = {
  db: Db
  gameDir: string
  log: ClientLog
  phases: readonly Phase[]
  kills: readonly Kill[]
  trace(attempts: readonly Attempt[]): Promise<void>
}

/** Holds what the clients wrote down against the books, and looks for the cause of each failed request. */
export async function judgeDrill({ db, gameDir, log, phases, kills, trace }: Evidence): Promise<Verdict> {
  const failed = log.attempts.filter(isFailed)
  const cut = log.streams.filter(({ isWhole }) => !isWhole)
  await trace([...failed, ...cut])
  const causes = Object.groupBy([...failed, ...cut], (one) => (isInFlight(one, kills) ? 'killed' : 'none'))
  const killed = causes.killed ?? []
  const { acknowledged, refunded, ...ledger } = await judgeBooks(db, log.seen)
  const books = {
    ...ledger,
    ...(await judgeGame(db, { gameDir, seen: log.seen, refunded })),
    ...Object.fromEntries((await reconcile(db)).map(({ check, count }) => [check, count])),
  }
  const unexplained = (causes.none ?? []).map((one) => lineOf(one, phases))
  const rows = rowsOf(log, phases)
  const faults = Object.values(books).reduce((sum, count) => sum + count, 0)
  return {
    phases: rows,
    acknowledged,
    books,
    inFlightOnKilled: killed.filter(isFailed).length,
    streamsCutByKill: killed.filter((one) => !isFailed(one)).length,
    streamsMovedByStops: log.streams.length - cut.length,
    streamEvents: log.events,
    unexplained,
    unexpected: log.unexpected,
    isClean:
      faults + unexplained.length + log.unexpected.length === 0 &&
      // A run in which nobody was there at a restart proves nothing.
      acknowledged > 0 &&
      log.events > 0 &&
      rows.every(({ requests }) => requests > 0),
  }
}

function rowsOf(log: ClientLog, phases: readonly Phase[]): Row[] {
  return phases.map(({ name, startedAt }, index) => {
    const end = phases[index + 1]?.startedAt ?? Math.max(...log.attempts.map(({ endedAt }) => endedAt))
    const inside = log.attempts.filter(({ endedAt }) => endedAt >= startedAt && endedAt < end)
    return {
      phase: name,
      seconds: Math.round((end - startedAt) / 100) / 10,
      requests: inside.length,
      failed: inside.filter(isFailed).length,
      slowestMs: inside.reduce((most, one) => Math.max(most, one.endedAt - one.startedAt), 0),
    }
  })
}

const SETTLE_MS_MAX = 120_000
const SETTLE_LOOK_MS = 200

/** What was bought last is still on its way. Returns for how many seconds. */
export async function waitUntilSettled(db: Db): Promise<number> {
  const began = Date.now()
  for (; Date.now() < began + SETTLE_MS_MAX; await sleep(SETTLE_LOOK_MS)) {
    const open = await db
      .selectFrom('delivery')
      .select('id')
      .where('state', 'not in', ['delivered', 'refunded'])
      .limit(1)
      .execute()
    if (open.length === 0) break
  }
  return Math.round((Date.now() - began) / 100) / 10
}
