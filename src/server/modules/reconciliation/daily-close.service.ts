import type { CloseStatus, OperatorDailyClose } from '#contract/operator/daily-closes.ts'
import { receivingChannels } from '#server/modules/recharge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import {
  type AccountDay,
  type CloseFilter,
  countCloses,
  findClose,
  forgetDueDay,
  insertClose,
  listCloses,
  listDueDays,
  markDueDay,
  selectAccountDays,
  takeTurnToClose,
  touchClose,
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
import { pullDay, type ReconciliationDeps } from './pull.service.ts'

export type DayClose = MadeClose & { differences: Difference[]; status: CloseStatus }

export async function receivingAccounts(deps: ReconciliationDeps): Promise<string[]> {
  const channels = await receivingChannels(deps)
  return [...new Set(channels.map(({ account }) => account.number))]
}

/** What a day looks like now, account by account. Nothing is kept of it. */
export async function lookAtDay(deps: ReconciliationDeps, day: Day): Promise<DayClose[]> {
  const accountNumbers = await receivingAccounts(deps)
  return (await selectAccountDays(deps.db, { day, accountNumbers })).map(judged)
}

function judged({ accountNumber, figures, doubts }: AccountDay): DayClose {
  const differences = differencesOf(figures, doubts)
  return { accountNumber, figures, differences, status: statusOf(figures, differences) }
}

/**
 * Closes a day that is over. When nothing differs from the present close, only its time is renewed; else the new close
 * becomes its next revision.
 */
export async function closeDay(deps: ReconciliationDeps, day: Day): Promise<DayClose[]> {
  const accountNumbers = await receivingAccounts(deps)
  const made = await inTransaction(deps.db, (tx) => makeCloses(tx, { day, accountNumbers }))
  reportRed(deps, { day, made })
  return made
}

export async function makeCloses(
  tx: Tx,
  { day, accountNumbers }: { day: Day; accountNumbers: readonly string[] },
): Promise<DayClose[]> {
  await takeTurnToClose(tx)
  await forgetDueDay(tx, day)
  const closes = (await selectAccountDays(tx, { day, accountNumbers })).map(judged)
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

export type ReconciledDay = {
  closes: DayClose[]
  /** Lists that could not be read: the bank's figures from before are kept. */
  failed: number
}

/** Reads the bank's statement of a day anew and closes it. Without a statement in full the day is due again. */
export async function reconcileDay(deps: ReconciliationDeps, day: Day): Promise<ReconciledDay> {
  const { failed } = await pullDay(deps, day)
  const closes = await closeDay(deps, day)
  if (failed > 0) await markDueDay(deps.db, day)
  return { closes, failed }
}

const DUE_DAYS_PER_ROUND = 7

/** Past days on which something has changed since: a payment reported late, a transfer decided by an operator. */
export async function reconcileDueDays(deps: ReconciliationDeps): Promise<void> {
  const today = dayOf(deps.clock.now())
  for (const day of await listDueDays(deps.db, { before: today, limit: DUE_DAYS_PER_ROUND })) {
    await reconcileDay(deps, day)
  }
}

/** The latest close of each day and account. */
export async function listDailyCloses(
  db: Db,
  filter: CloseFilter,
  page: ListPage,
): Promise<ListRows<OperatorDailyClose>> {
  return { total: () => countCloses(db, filter), rows: await listCloses(db, filter, page) }
}
