import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerOf } from '#contract/endpoint.ts'
import type {
  CloseStatus,
  OperatorDailyClose,
  DailyCloseDetail,
  operatorDailyCloses,
} from '#contract/operator/daily-closes.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { receivingChannels } from '#server/modules/recharge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { conflict, orNotFound } from '#server/platform/values/errors.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import {
  findStatements,
  listCloseRows,
  type AccountDay,
  type CloseFilter,
  countCloses,
  findClose,
  forgetDueDay,
  insertClose,
  keepDueDay,
  listCloses,
  listDueDays,
  markDueDay,
  selectAccountDays,
  takeTurnToClose,
  touchClose,
  findCloseById,
} from './daily-close.queries.ts'
import {
  type Day,
  dayOf,
  type Difference,
  differencesOf,
  isSameClose,
  type MadeClose,
  statusOf,
} from './daily-close.rules.ts'
import { pullDay, type ReconciliationDeps, type PullReport } from './pull.service.ts'
import { doEach } from '#server/platform/values/each.ts'

export type DayClose = MadeClose & { differences: Difference[]; status: CloseStatus }

/** The numbers of the accounts that players pay to. */
export async function receivingAccounts(deps: ReconciliationDeps): Promise<string[]> {
  const channels = await receivingChannels(deps)
  return [...new Set(channels.map(({ account }) => account.number))]
}

/** What a day looks like now, account by account. Nothing of it is stored. */
export async function lookAtDay(deps: ReconciliationDeps, day: Day): Promise<DayClose[]> {
  const accountNumbers = await receivingAccounts(deps)
  return (await selectAccountDays(deps.db, { day, accountNumbers })).map(withOutcome)
}

function withOutcome({ accountNumber, figures, doubts }: AccountDay): DayClose {
  const differences = differencesOf(figures, doubts)
  return { accountNumber, figures, differences, status: statusOf(figures, differences) }
}

/**
 * Closes a day that is over. When nothing differs from the present close, only its time is renewed; else the new close
 * becomes its next revision.
 */
export async function closeDay(deps: ReconciliationDeps, day: Day): Promise<DayClose[]> {
  const accountNumbers = await receivingAccounts(deps)
  const close = async (some: readonly string[]) => {
    const made = await inTransaction(deps.db, (tx) => makeCloses(tx, { day, accountNumbers: some }))
    reportRed(deps, { day, made })
    return made
  }
  try {
    return await close(accountNumbers)
  } catch (error) {
    // Those of the accounts by which it does not fail are made, and the day is due again.
    deps.log.warn({ err: error, day }, 'a day could not be closed for all accounts together')
    await doEach(
      accountNumbers,
      (accountNumber) => accountNumber,
      (accountNumber) => close([accountNumber]),
    ).finally(() => keepDueDay(deps.db, day))
    throw error
  }
}

/** Makes the closes of a day, of each account. */
export async function makeCloses(
  tx: Tx,
  { day, accountNumbers }: { day: Day; accountNumbers: readonly string[] },
): Promise<DayClose[]> {
  await takeTurnToClose(tx)
  await forgetDueDay(tx, day)
  const closes = (await selectAccountDays(tx, { day, accountNumbers })).map(withOutcome)
  for (const close of closes) {
    const before = await findClose(tx, { accountNumber: close.accountNumber, day })
    if (before && isSameClose(before, close)) await touchClose(tx, before.id)
    else await insertClose(tx, { ...close, day }, before)
  }
  return closes
}

export function reportRed(
  { log }: Pick<ReconciliationDeps, 'log'>,
  { day, made }: { day: Day; made: readonly DayClose[] },
): void {
  for (const { accountNumber, differences, status } of made) {
    if (status !== 'red') continue
    log.error(
      { event: 'reconciliation.red', day, accountNumber, differences },
      'a day cannot be closed: its figures do not agree',
    )
  }
}

type ReconciledDay = {
  closes: DayClose[]
  /** Lists that could not be read: the bank's figures from before stay. */
  failed: number
}

/** Reads the bank's statement of a day again and closes it. Without a statement in full the day is due again. */
export async function reconcileDay(deps: ReconciliationDeps, day: Day): Promise<ReconciledDay> {
  let report: PullReport = { found: 0, failed: 0 }
  let closes: DayClose[] = []
  const pull = async () => {
    report = await pullDay(deps, day)
  }
  const close = async () => {
    closes = await closeDay(deps, day)
  }
  // Also of lists of which one fails: the day is due again then.
  await doEach(
    [pull, close],
    ({ name }) => name,
    (part) => part(),
  ).catch(async (error: unknown) => {
    await keepDueDay(deps.db, day)
    throw error
  })
  const { failed } = report
  if (failed > 0) await keepDueDay(deps.db, day)
  return { closes, failed }
}

const DUE_DAYS_PER_ROUND = 7

/**
 * Past days on which something has changed since: a payment reported late, a transfer decided by an operator. One that fails
 * leaves the others: it throws then.
 */
export async function reconcileDueDays(deps: ReconciliationDeps): Promise<void> {
  const today = dayOf(deps.clock.now())
  const days = await listDueDays(deps.db, { before: today, limit: DUE_DAYS_PER_ROUND })
  await doEach(
    days,
    (day) => day,
    (day) => reconcileDay(deps, day),
  )
}

/** The latest close of each day and account. */
export async function listDailyCloses(
  db: Db,
  filter: CloseFilter,
  page: ListPage,
): Promise<ListRows<OperatorDailyClose>> {
  return { total: () => countCloses(db, filter), rows: await listCloses(db, filter, page) }
}

const noListToRead = () =>
  conflict(
    'Chưa nối với sao kê của nhà cung cấp nào. Hãy gửi tệp sao kê của ngân hàng, hoặc đặt SEPAY_API_TOKEN hay CASSO_API_TOKEN rồi thử lại.',
  )

const bankIsSlow = () =>
  conflict(
    'Nhà cung cấp trả lời chậm. Sao kê vẫn đang được đọc, và ngày này được chốt lại trong ít phút nữa.',
  )

const ACCOUNTS_MAX = 20

/** One close, with its rows that do not agree as they are now. */
export async function getDailyClose(db: Db, id: string): Promise<DailyCloseDetail> {
  const close = orNotFound(await findCloseById(db, id))
  const { day, account_number: accountNumber } = close
  const statements = await findStatements(db, { day, accountNumber })
  const rows = await listCloseRows(db, { day, accountNumber, provider: statements[0]?.provider ?? null })
  const closes = await listCloses(db, { day }, { order: 'asc', from: 0, to: ACCOUNTS_MAX - 1 })
  const others = closes.filter((one) => one.account_number !== accountNumber)
  return { ...close, statements, rows, others }
}

/** Each reading takes a share of what a provider answers in a minute. */
const READINGS = sharedLimit('close-readings', 6, 600)
/** An operator waits for it; a day of many pages may take longer. */
const PATIENCE_MS = 20_000

type Call = Parameters<typeof actAsOperator>[1] & { params: { id: string } }
type Read = AnswerOf<typeof operatorDailyCloses.readAnew>

/**
 * An operator has the day's lists read again; what they name and we did not know is taken in, and the day is closed again
 * with the audit row. The lists are read before the transaction.
 */
export async function readDayAnew(deps: ReconciliationDeps, call: Call): Promise<Read> {
  const { answer, day, made } = await actAsOperator(deps, call, {
    action: 'daily-closes.read-anew',
    async prepare() {
      const before = orNotFound(await findCloseById(deps.db, call.params.id))
      if (deps.payments.lists.length === 0) throw noListToRead()
      await deps.limits.consume(READINGS, call.identity.userId)
      const read = await readInTime(deps, { day: before.day, patienceMs: PATIENCE_MS })
      return { before, ...read, accountNumbers: await receivingAccounts(deps) }
    },
    async work(tx, { before, found, failed, accountNumbers }) {
      const { day } = before
      const made = await makeCloses(tx, { day, accountNumbers })
      const stored = await findCloseById(tx, before.id)
      const now = orNotFound(stored && (await findCloseById(tx, stored.latest_id)))
      return {
        answer: { answer: { id: now.id, status: now.status, found, failed }, day, made },
        audit: {
          subject: { type: 'daily_close', id: before.id },
          details: {
            before: { revision: before.revision, status: before.status, differences: before.differences },
            after: { revision: now.revision, status: now.status, differences: now.differences },
            found,
            failed,
          },
        },
      }
    },
  })
  if (answer.failed > 0) await markDueDay(deps.db, day)
  reportRed(deps, { day, made })
  return answer
}

/**
 * Reads the lists of a day while somebody waits. A reading that takes longer goes on by itself; the day is due then, so
 * that it is closed with what was read. Throws CONFLICT.
 */
export async function readInTime(
  deps: ReconciliationDeps,
  { day, patienceMs }: { day: Day; patienceMs: number },
): Promise<PullReport> {
  const reading = pullDay(deps, day)
  const stopping = new AbortController()
  const tooLong = sleep(patienceMs, undefined, { signal: stopping.signal }).catch(() => undefined)
  const report = await Promise.race([reading, tooLong]).finally(() => stopping.abort())
  if (report !== undefined) return report
  reading.catch((error: unknown) => deps.log.error({ err: error, day }, 'a slow reading of a day failed'))
  await markDueDay(deps.db, day)
  throw bankIsSlow()
}
