import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { reconcile } from '#server/modules/wallet/index.ts'
import { type Db, openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { verifyJournal } from './game-journal.ts'
import type { ConfirmedAct } from './players.ts'
import { countsOf, inMs, secondsSince, sum } from './numbers.ts'
import type { Attempt } from './balancer.ts'
import { isFailed, type ClientLog } from './load.ts'

/** Figures that all have to be zero. */
export type Counts = Record<string, number>

export type Verification = {
  /** Acts that were confirmed to a client. */
  acknowledged: number
  /** The clients' log against the ledger and the game. */
  books: Counts
  /** The checks of the reconciliation. */
  reconcile: Counts
}

/** What is not zero. */
export const offending = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))

/** A verification as reports show it: of its counts only those that are not zero. */
export const shown = (found: Verification): Verification => ({
  ...found,
  books: offending(found.books),
  reconcile: offending(found.reconcile),
})

export const total = (counts: Counts) => sum(Object.values(counts))

/** A run in which nothing was acknowledged proves nothing. */
export const isVerified = ({ acknowledged, books, reconcile: checks }: Verification) =>
  acknowledged > 0 && total(books) + total(checks) === 0

/** A database of the run, for the time of `work`. */
export async function withDatabase<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = openDatabase({ url, log: openLog('fatal'), connectionsMax: 2, statementTimeoutMs: 600_000 })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

export const SETTLE_MS_MAX = 120_000

/** Waits until no delivery is open and no payment event undecided; answers for how many seconds. */
export async function settle(db: Db, msMax = SETTLE_MS_MAX): Promise<number> {
  const began = performance.now()
  for (; performance.now() - began < msMax; await sleep(200)) {
    const { rows } = await sql`
      SELECT WHERE EXISTS (SELECT FROM delivery WHERE state NOT IN ('delivered', 'refunded'))
                OR EXISTS (SELECT FROM payment_event WHERE status = 'new')`.execute(db)
    if (rows.length === 0) break
  }
  return secondsSince(began)
}

/** The reconciliation's checks with what each found. */
export const reconciled = async (db: Db): Promise<Counts> =>
  Object.fromEntries((await reconcile(db)).map(({ check, count }) => [check, count]))

/** Compares the clients' logs with ledger, reconciliation, and the game: the embedded one, or the journal in its folder. */
export async function verify(
  db: Db,
  confirmed: readonly ConfirmedAct[],
  gameDir: string | 'embedded' | null,
  { isEachFollowed } = { isEachFollowed: true },
): Promise<Verification> {
  const { acknowledged, refunded, ...ledger } = await verifyLedger(db, confirmed)
  const game =
    gameDir === null
      ? {}
      : gameDir === 'embedded'
        ? { luongWrong: await wrongLuong(db, confirmed, refunded) }
        : await verifyJournal(db, { gameDir, confirmed, refunded, isEachFollowed })
  return { acknowledged, books: { ...ledger, ...game }, reconcile: await reconciled(db) }
}

export const keyOf = (confirmed: ConfirmedAct): string | null => {
  switch (confirmed.act) {
    case 'recharge':
      return `recharge ${confirmed.player} ${confirmed.amount} ${confirmed.code}`
    case 'activation':
      return `activation ${confirmed.player} ${confirmed.amount}`
    case 'exchange':
    case 'gift':
      return `${confirmed.act} ${confirmed.player} ${confirmed.amount} ${confirmed.deliveryId}`
    case 'transfer':
      return `transfer ${confirmed.player} ${confirmed.payee} ${confirmed.amount}`
    default:
      return null
  }
}

/** Every effect in the ledger, in the format of the clients' log. */
async function effects(db: Db, players: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ effect: string }>`
    SELECT CASE t.kind
        WHEN 'recharge' THEN 'recharge ' || payee.username || ' ' || t.amount || ' ' || o.code
        WHEN 'activation' THEN 'activation ' || payer.username || ' ' || t.amount
        WHEN 'exchange_hold' THEN 'exchange ' || payer.username || ' ' || t.amount || ' ' || t.source_id
        WHEN 'gift_hold' THEN 'gift ' || payer.username || ' ' || t.amount || ' ' || t.source_id
        WHEN 'p2p' THEN 'transfer ' || payer.username || ' ' || payee.username || ' ' || t.amount
      END AS effect
      FROM ledger_transfer t
      LEFT JOIN users payer ON payer.wallet_account_id = t.debit_account
      LEFT JOIN users payee ON payee.wallet_account_id = t.credit_account
      LEFT JOIN bank_transaction b ON b.transfer_id = t.id
      LEFT JOIN payment_order o ON o.id = b.order_id
     WHERE t.kind IN ('recharge', 'activation', 'exchange_hold', 'gift_hold', 'p2p')
       AND coalesce(payer.username, payee.username) = ANY(${players})`.execute(db)
  return rows.map((row) => row.effect)
}

function expectedBalances(
  confirmed: readonly ConfirmedAct[],
  refunded: ReadonlySet<string>,
): Map<string, number> {
  const balances = new Map<string, number>()
  const add = (player: string, amount: number) => balances.set(player, (balances.get(player) ?? 0) + amount)
  for (const entry of confirmed) {
    if (entry.act === 'recharge') add(entry.player, entry.amount)
    if (entry.act === 'activation') add(entry.player, -entry.amount)
    const isPurchase = entry.act === 'exchange' || entry.act === 'gift'
    if (isPurchase && !refunded.has(entry.deliveryId)) add(entry.player, -entry.amount)
    if (entry.act === 'transfer') {
      add(entry.player, -entry.amount)
      add(entry.payee, entry.amount)
    }
  }
  return balances
}

/** Of effects that have to be in the ledger those that are not, in the format of the clients' log. */
export async function lostEffects(db: Db, certain: readonly ConfirmedAct[]): Promise<string[]> {
  const actual = countsOf(await effects(db, [...new Set(certain.map(({ player }) => player))]))
  return [...countsOf(certain.flatMap((one) => keyOf(one) ?? []))].flatMap(([key, times]) =>
    Array.from({ length: Math.max(0, times - (actual.get(key) ?? 0)) }, () => key),
  )
}

/** Effects in the ledger beside those that have to be there, and those that may be there. */
export async function compareEffects(
  db: Db,
  certain: readonly ConfirmedAct[],
  possible: readonly ConfirmedAct[] = certain,
): Promise<{ lost: number; doubled: number; unrequested: number }> {
  const timesOf = (acts: readonly ConfirmedAct[]) => countsOf(acts.flatMap((one) => keyOf(one) ?? []))
  const allowed = timesOf(possible)
  const actual = countsOf(await effects(db, [...new Set(possible.map(({ player }) => player))]))
  let lost = 0
  let doubled = 0
  for (const [key, times] of timesOf(certain)) lost += Math.max(0, times - (actual.get(key) ?? 0))
  for (const [key, times] of allowed) doubled += Math.max(0, (actual.get(key) ?? 0) - times)
  /** Effects that were confirmed to no client. */
  const unrequested = [...actual.keys()].filter((key) => !allowed.has(key)).length
  return { lost, doubled, unrequested }
}

async function verifyLedger(db: Db, confirmed: readonly ConfirmedAct[]) {
  const deliveries = await db.selectFrom('delivery').select(['id', 'state']).execute()
  const refunded = new Set(deliveries.filter(({ state }) => state === 'refunded').map(({ id }) => id))
  return {
    acknowledged: confirmed.filter((one) => keyOf(one) !== null).length,
    ...(await compareEffects(db, confirmed)),
    balancesWrong: await wrongBalances(db, expectedBalances(confirmed, refunded)),
    deliveriesOpen: deliveries.filter(({ state }) => state !== 'delivered' && state !== 'refunded').length,
    refunded,
  }
}

/** How many of these players have another balance. */
export async function wrongBalances(db: Db, expected: ReadonlyMap<string, number>): Promise<number> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('ledger_account', 'ledger_account.id', 'users.wallet_account_id')
    .select(['users.username', 'ledger_account.balance'])
    .where('users.username', 'in', [...expected.keys()])
    .execute()
  return rows.filter((row) => Number(row.balance) !== expected.get(row.username)).length
}

async function wrongLuong(
  db: Db,
  confirmed: readonly ConfirmedAct[],
  refunded: ReadonlySet<string>,
): Promise<number> {
  const gained = new Map<string, number>()
  for (const entry of confirmed) {
    if (entry.act !== 'exchange' || refunded.has(entry.deliveryId)) continue
    gained.set(entry.characterId, (gained.get(entry.characterId) ?? 0) + entry.receive)
  }
  if (gained.size === 0) return 0
  const rows = await db
    .selectFrom('game.characters')
    .select(['id', 'luong'])
    .where('id', 'in', [...gained.keys()])
    .execute()
  // New characters start without luong, so all they have came through deliveries.
  return rows.filter((row) => Number(row.luong) !== gained.get(row.id)).length
}

/**
 * While it lasts, requests may fail: those under way on the process at `via`, those that need the database, all while the
 * balancer is away, and those on a connection that it closes.
 */
export type Downtime = {
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
  away?: Downtime | null
}

const CAUSES = {
  process: 'inFlight',
  connections: 'inFlight',
  database: 'databaseAway',
  balancer: 'balancerAway',
} as const
type Cause = (typeof CAUSES)[Downtime['what']] | 'other'

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

export type LoadReport = {
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

export type LoadEvidence = {
  db: Db
  gameDir: string
  log: ClientLog
  phases: readonly Phase[]
  settleSeconds: number
  /** Streams that were cut need a cause too, and no phase is without a request. */
  isStrict: boolean
  /** False where a program that asks nothing about collected goods has delivered too. */
  isEachFollowed?: boolean
  trace(attempts: readonly Attempt[]): Promise<void>
}

/** Compares what the clients wrote down with the books and the game's journal, and finds the cause of each failure. */
export async function verifyLoad(evidence: LoadEvidence): Promise<LoadReport> {
  const { db, gameDir, log, phases, settleSeconds, isStrict, isEachFollowed = true, trace } = evidence
  const cut = log.streams.filter(({ isWhole }) => !isWhole)
  const failed = [...log.attempts.filter(isFailed), ...(isStrict ? cut : [])]
  await trace(failed)
  const aways = phases.flatMap(({ away }) => away ?? [])
  const causes = new Map(failed.map((attempt) => [attempt, causeIn(aways, attempt)]))
  const verification = await verify(db, log.confirmed, gameDir, { isEachFollowed })
  const unexplained = failed.filter((one) => causes.get(one) === 'other').map((one) => lineOf(one, phases))
  const rows = phases.map((phase, index) => rowOf(phase, { log, causes, phases, next: phases[index + 1] }))
  return {
    phases: rows,
    requests: log.attempts.length,
    acknowledged: verification.acknowledged,
    streamEvents: log.events,
    streamsEnded: log.streams.length,
    streamsCut: cut.length,
    books: { ...verification.books, ...verification.reconcile },
    settleSeconds,
    failures: countCauses([...causes.values()]),
    unexplained,
    unexpected: log.unexpected,
    isClean:
      isVerified(verification) &&
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

function causeIn(aways: readonly Downtime[], attempt: Attempt): Cause {
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
    const endings = log.attempts
      .filter((one) => one.startedAt >= startedAt && !isFailed(one) && isMeant(one))
      .map(({ endedAt }) => endedAt)
    return endings.length === 0 ? null : endings.reduce((first, at) => Math.min(first, at)) - startedAt
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
}: LoadReport): void {
  console.table(phases)
  console.table(figures)
  console.table(failures)
  console.table(books)
  for (const line of unexplained) console.log(`  failed without a cause: ${line}`)
  for (const line of unexpected) console.log(`  refused: ${line}`)
}
