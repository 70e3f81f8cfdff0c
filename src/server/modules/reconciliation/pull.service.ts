import { setTimeout as sleep } from 'node:timers/promises'
import { type BankList, ProviderFailure, type PulledList } from '#server/modules/payment-providers/index.ts'
import { takeInRows, type BankInboxDeps } from '#server/modules/bank-inbox/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import {
  type Day,
  dayBounds,
  dayOf,
  figuresOf,
  furthestId,
  isOverdue,
  NOTIFICATION_GRACE_MS,
  listedRows,
  readFrom,
} from './daily-close.rules.ts'
import {
  findReading,
  type PulledEvent,
  saveReading,
  saveStatementDay,
  selectLastEventId,
  selectUnnotified,
} from './pull.queries.ts'
import { doEach } from '#server/platform/values/each.ts'

export type ReconciliationDeps = BankInboxDeps

export type PullReport = {
  /** Incoming transfers that only the list reported. */
  found: number
  /** Lists that could not be read to their end. */
  failed: number
}

/** The banks' accounts players pay to. A private MoMo wallet is on nobody's list. */
async function listedAccounts(deps: ReconciliationDeps): Promise<string[]> {
  const { vietcombank, acb } = (await readSettings(deps.db)).bankAccounts
  return [...new Set([vietcombank, acb].flatMap((account) => (account === null ? [] : [account.number])))]
}

/** Reads what has come since the last time on every list and account. One that fails does not stop the others: it throws then. */
export async function pullLists(deps: ReconciliationDeps): Promise<PullReport> {
  const now = deps.clock.now()
  return eachList(deps, async (list, accountNumber) => {
    const place = { provider: list.provider, accountNumber }
    const { sinceId, readAt } = await findReading(deps.db, place)
    const pulled = await list.pull({
      accountNumber,
      from: readFrom(now, readAt),
      // Some banks book ahead of the clock.
      to: new Date(now.getTime() + 3_600_000),
      ...(sinceId === null ? {} : { sinceId }),
    })
    const found = await takeIn(deps, { list, accountNumber, pulled })
    await saveReading(deps.db, { ...place, sinceId: furthestId(sinceId, pulled.rows), readAt: now })
    return found
  })
}

/** Reads one whole day again, takes in what is missing, and stores the bank's figures for the close. */
export async function pullDay(deps: ReconciliationDeps, day: Day): Promise<PullReport> {
  const { since, until } = dayBounds(day)
  return eachList(deps, async (list, accountNumber) => {
    const pulled = await list.pull({ accountNumber, from: since, to: new Date(until.getTime() - 1_000) })
    const found = await takeIn(deps, { list, accountNumber, pulled })
    const place = { provider: list.provider, accountNumber }
    await saveStatementDay(deps.db, {
      ...place,
      day,
      figures: figuresOf(pulled),
      listed: listedRows(pulled.rows),
    })
    return found
  })
}

const DAY_MS = 86_400_000
const NOTIFICATION_LOOK_MS = 500

/**
 * Reads every day since then again, from its first row on, and names what only the lists reported in that time, whoever
 * read it there first. A notification that may still be on its way is waited for.
 */
export async function findUnnotified(
  deps: ReconciliationDeps,
  since: Date,
): Promise<{ found: PulledEvent[]; failed: number }> {
  const last = dayOf(deps.clock.now())
  let failed = 0
  for (let at = since.getTime(); dayOf(new Date(at)) <= last; at += DAY_MS)
    failed += (await pullDay(deps, dayOf(new Date(at)))).failed
  // What is read from now on, by a worker, is not this look's.
  const lastId = await selectLastEventId(deps.db)
  const graceSeconds = NOTIFICATION_GRACE_MS / 1_000
  for (;;) {
    const found = await selectUnnotified(deps.db, { since, lastId, graceSeconds })
    if (found.every(({ isDue }) => isDue)) return { found, failed }
    await sleep(NOTIFICATION_LOOK_MS)
  }
}

async function eachList(
  deps: ReconciliationDeps,
  work: (list: BankList, accountNumber: string) => Promise<number>,
): Promise<PullReport> {
  const report: PullReport = { found: 0, failed: 0 }
  const accountNumbers = await listedAccounts(deps)
  const read = async ({ list, accountNumber }: ListedAccount) => {
    try {
      report.found += await work(list, accountNumber)
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      // The next round reads it again; until then the other lists are read.
      report.failed += 1
      deps.log.error(
        {
          event: 'reconciliation.failed',
          provider: list.provider,
          accountNumber,
          fault: error.kind,
          err: error,
        },
        'a provider’s list could not be read',
      )
    }
  }
  const listed = deps.payments.lists.flatMap((list) =>
    accountNumbers.map((accountNumber): ListedAccount => ({ list, accountNumber })),
  )
  await doEach(listed, ({ list, accountNumber }) => `${list.provider} ${accountNumber}`, read)
  return report
}

type ListedAccount = { list: BankList; accountNumber: string }

const IDS_LOGGED_MAX = 20

type Pulled = { list: BankList; accountNumber: string; pulled: PulledList }

async function takeIn(deps: ReconciliationDeps, { list, accountNumber, pulled }: Pulled): Promise<number> {
  const { provider } = list
  if (pulled.unreadable.length > 0) {
    deps.log.error(
      {
        event: 'reconciliation.unreadable',
        provider,
        accountNumber,
        count: pulled.unreadable.length,
        providerEventIds: pulled.unreadable
          .slice(0, IDS_LOGGED_MAX)
          .map(({ event }) => event.providerEventId),
      },
      'rows of a provider’s list could not be read',
    )
  }
  // What leaves an account is in the list only: providers notify about what comes in.
  const found = (await takeInRows(deps, { provider, ...pulled })).filter(
    ({ event }) => event.direction === 'in',
  )
  const overdue = found
    .filter(({ event }) => isOverdue(event.bookedAt, deps.clock.now()))
    .map(({ event }) => event.providerEventId)
  if (overdue.length > 0) {
    deps.log.error(
      {
        event: 'reconciliation.found',
        provider,
        accountNumber,
        count: overdue.length,
        providerEventIds: overdue.slice(0, IDS_LOGGED_MAX),
      },
      'transfers were found only by asking: notifications do not arrive',
    )
  }
  return found.length
}
