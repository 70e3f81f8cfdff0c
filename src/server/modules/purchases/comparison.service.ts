import type { AnswerOf } from '#contract/endpoint.ts'
import {
  type Comparison,
  MISSING_MAX,
  type operatorGameComparison,
} from '#contract/operator/game/comparison.ts'
import { GAME_TIMEOUT_MS, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { resendAccounts } from '#server/modules/game-accounts/index.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import type { OperatorDelivery } from '#contract/operator/deliveries.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { conflict, invariant, orNotFound, invalidField } from '#server/platform/values/errors.ts'
import { leaseSecondsFor } from '#server/platform/queues/leases.ts'
import type { StoredDelivery } from './operator.queries.ts'
import { describeStored } from './operator.service.ts'
import {
  claimComparison,
  countMissing,
  type ClaimedComparison,
  type ComparedDelivery,
  findComparison,
  insertComparison,
  listMissing,
  listRunning,
  removeOldComparisons,
  removeOldMissing,
  type MissingFilter,
  type NewComparison,
  selectCompared,
  storeComparedPage,
  storeFailedPage,
} from './comparison.queries.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

type CompareDeps = Pick<PlatformDeps, 'db' | 'log'> & { game: GameBridge }

const DAYS = 30
const DAY_MS = 86_400_000

const PAGE_ROWS = 200
/** As many questions are under way at once. */
const PARALLEL = 8
const LEASE_SECONDS = leaseSecondsFor({ calls: Math.ceil(PAGE_ROWS / PARALLEL), timeoutMs: GAME_TIMEOUT_MS })
const FAILURES_MAX = 10
const FAILED_PAUSE_SECONDS = 5

const comparisonRunning = () => conflict('Một lần so với game khác đang chạy. Vui lòng chờ kết quả.')

const wrongSpan = () => invalidField('until', 'Thời điểm kết thúc phải sau thời điểm bắt đầu')

type Span = { serverId: string | null; since: string | null; until: string | null }

/** What is to be compared: of the last 30 days, unless told otherwise. */
function spanOf({ serverId, since, until }: Span, now: Date): Omit<NewComparison, 'startedBy'> {
  const end = until === null ? now : new Date(until)
  const start = since === null ? new Date(end.getTime() - DAYS * DAY_MS) : new Date(since)
  if (start >= end) throw wrongSpan()
  return { serverId, since: start, until: end }
}

async function start(db: Db | Tx, comparison: NewComparison): Promise<Comparison> {
  const id = await insertComparison(db, comparison)
  if (id === undefined) throw comparisonRunning()
  await resendAccounts(db, comparison.since)
  const started = await findComparison(db, id)
  invariant(started, 'a comparison that was just started is there')
  return started
}

/** The latest one, or that of this id. */
export async function readComparison(
  db: Db,
  id: string | null = null,
): Promise<AnswerOf<typeof operatorGameComparison.get>> {
  return { comparison: (await findComparison(db, id)) ?? null }
}

/** An operator has what was delivered compared with what the game knows; a worker does it. */
export async function startComparison(
  deps: PlatformDeps,
  call: UserCall<typeof operatorGameComparison.start>,
): Promise<AnswerOf<typeof operatorGameComparison.start>> {
  const { server_id = null, since = null, until = null } = call.body
  const span = spanOf({ serverId: server_id, since, until }, deps.clock.now())
  return actAsOperator(deps, call, {
    action: 'game-comparison.start',
    async work(tx) {
      const comparison = await start(tx, { ...span, startedBy: call.identity.userId })
      const details = { server: comparison.server_id, since: comparison.since, until: comparison.until }
      return {
        answer: { comparison },
        audit: { subject: { type: 'game-comparison', id: comparison.id }, details },
      }
    },
  })
}

/**
 * Asks the game about the next page of the running comparison and notes what it does not know; true when there is more. A
 * page that was not written down, since the process died, is asked about again after the lease.
 */
export const compareNext = (deps: CompareDeps): Promise<boolean> =>
  workOff(deps, {
    job: 'comparison with the game',
    limit: 2,
    leaseSeconds: LEASE_SECONDS,
    list: (db, isResting) => listRunning(db, isResting, LEASE_SECONDS),
    work: (id) => comparePage(deps, id),
  })

async function comparePage(deps: CompareDeps, id: string): Promise<boolean> {
  const claimed = await claimComparison(deps.db, id, { leaseSeconds: LEASE_SECONDS })
  if (claimed === undefined) return false
  const page = await selectCompared(deps.db, claimed.id, PAGE_ROWS)
  const asked = page.filter(({ isAsked }) => isAsked)
  const missing = await missingOf(deps, asked)
  if (missing === null) {
    const failed = { failuresMax: FAILURES_MAX, pauseSeconds: FAILED_PAUSE_SECONDS }
    await storeFailedPage(deps.db, claimed.id, failed)
    return false
  }
  const state = endOf(claimed, { page, missing })
  const brought = { reached: page.at(-1), asked: asked.length, missing, state }
  const isStored = await inTransaction(deps.db, (tx) => storeComparedPage(tx, claimed, brought))
  if (isStored && state !== null)
    deps.log.info({ event: 'comparison.finished', comparison: claimed.id, state }, 'goods were compared')
  return state === null
}

type Page = { page: readonly ComparedDelivery[]; missing: readonly ComparedDelivery[] }

function endOf(claimed: ClaimedComparison, { page, missing }: Page): 'done' | 'too-many' | null {
  if (claimed.missing + missing.length >= MISSING_MAX) return 'too-many'
  return page.length < PAGE_ROWS ? 'done' : null
}

/** Those that the game does not know, or null when it did not answer. Outside any transaction. */
async function missingOf(
  { game, log }: CompareDeps,
  asked: readonly ComparedDelivery[],
): Promise<ComparedDelivery[] | null> {
  const missing: ComparedDelivery[] = []
  try {
    for (let from = 0; from < asked.length; from += PARALLEL) {
      const few = asked.slice(from, from + PARALLEL)
      const known = await Promise.all(few.map(({ id }) => game.deliveryStatus(id)))
      missing.push(...few.filter((_one, index) => known[index] === 'unknown'))
    }
    return missing
  } catch (error) {
    log.warn({ err: error }, 'the game did not answer while goods were compared')
    return null
  }
}

const COMMAND_PAUSE_MS = 500

type Progress = (comparison: Comparison) => void

/** For the command line: the same comparison, which this process makes itself, also when no portal runs. */
export async function compareNow(
  deps: CompareDeps & Pick<PlatformDeps, 'clock'>,
  span: Span,
  onProgress: Progress,
): Promise<Comparison> {
  const { id } = await start(deps.db, { ...spanOf(span, deps.clock.now()), startedBy: null })
  for (;;) {
    const hasMore = await compareNext(deps)
    const comparison = orNotFound(await findComparison(deps.db, id))
    onProgress(comparison)
    if (comparison.state !== 'running') return comparison
    // A worker has the page, or the game does not answer.
    if (!hasMore) await new Promise((resolve) => setTimeout(resolve, COMMAND_PAUSE_MS))
  }
}

const LISTED_ROWS = 500

/** What a comparison found missing, in the order of purchase, a page at a time. */
export async function* allMissing(db: Db, comparison: string): AsyncGenerator<StoredDelivery> {
  let after: string | undefined
  for (;;) {
    const page = { from: 0, to: LISTED_ROWS - 1, order: 'asc', after } as const
    const rows = await listMissing(db, { comparison }, page)
    yield* rows
    after = rows.at(-1)?.id
    if (rows.length < LISTED_ROWS) return
  }
}

const PAUSE_MS = 2_000
const HOUR_MS = 3_600_000
const STORED_DAYS = 90

/** Erases one batch of comparisons older than 90 days; true when there may be more. */
export async function eraseOldComparisons(deps: Pick<PlatformDeps, 'db' | 'log'>): Promise<boolean> {
  if (await removeOldMissing(deps, STORED_DAYS)) return true
  return removeOldComparisons(deps, STORED_DAYS)
}

/** Those of a comparison, a page at a time. */
export async function listOperatorMissing(
  db: Db,
  filter: MissingFilter,
  page: ListPage,
): Promise<ListRows<OperatorDelivery>> {
  const rows = await listMissing(db, filter, page)
  return { total: () => countMissing(db, filter), rows: describeStored(rows, await readGameNames(db)) }
}

export const startComparer = (deps: CompareDeps): Loop[] =>
  startLoops(deps.log, [
    { name: 'comparison with the game', pauseMs: PAUSE_MS, round: () => compareNext(deps) },
    { name: 'old comparisons', pauseMs: HOUR_MS, round: () => eraseOldComparisons(deps) },
  ])
