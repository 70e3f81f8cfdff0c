import { readConfig } from '#server/config/config.ts'
import { wireDeps } from '#server/app/deps.ts'
import { dayOf, reconcileDay } from '#server/modules/reconciliation/index.ts'
import { DatabaseListener } from '#server/platform/db/notices.ts'
import { openLog } from '#server/platform/log/log.ts'
import { PAYMENT_ENVIRONMENT } from '#tests/support/payment-keys.ts'
import type { FakeTransfer } from '#tests/fakes/provider-server.ts'
import { SEPAY_TOKEN, startBank } from '../../harness/fleet.ts'
import type { Model } from './model.ts'
import { wordedFor } from './sending.ts'
import { ACCOUNTS, type Report, type Scenario } from './scenario.ts'
import type { Setup } from './setup.ts'

/** SePay's ids for transfers that another provider reported. */
const UNREPORTED_IDS = 10_000_000

export type Closing = { days: number; closes: number; differences: string[] }

/**
 * Pulls the bank's list day by day and closes each day:
 * this finds transfers without a notification, or with a stale one only.
 */
export async function closeDays(setup: Setup, scenario: Scenario, model: Model): Promise<Closing> {
  await using ends = new AsyncDisposableStack()
  const bank = await startBank(ends)
  bank.transfers.push(...booksOf(scenario))
  const log = openLog('fatal')
  const config = readConfig({
    ...PAYMENT_ENVIRONMENT,
    DATABASE_URL: setup.ownerUrl,
    DEMO: '0',
    GAME_SERVER_URL: 'embedded',
    SEPAY_API_TOKEN: SEPAY_TOKEN,
    SEPAY_BASE_URL: bank.url,
  })
  const listener = new DatabaseListener(setup.ownerUrl, log)
  const deps = wireDeps({ config, log, database: { db: setup.db, listener } })
  const days = [...new Set(scenario.reports.map(({ transfer }) => dayOf(transfer.bookedAt)))].sort()
  const closing: Closing = { days: days.length, closes: 0, differences: [] }
  for (const day of days) {
    for (const close of (await reconcileDay(deps, day)).closes) {
      closing.closes++
      closing.differences.push(...close.differences.map((name) => `${day} ${close.accountNumber}: ${name}`))
    }
  }
  for (const report of scenario.reports) if (isUnreported(report)) model.arrive(report)
  return closing
}

/** No copy came with a signature of its time. */
const isUnreported = ({ copies, staleCopies }: Report) => copies === staleCopies

/** Vietcombank's and ACB's own books, as SePay lists them. */
function booksOf(scenario: Scenario): FakeTransfer[] {
  const books = new Map<number, FakeTransfer>()
  for (const report of scenario.reports) {
    const { transfer, provider } = report
    const isListed = transfer.account === ACCOUNTS.vietcombank || transfer.account === ACCOUNTS.acb
    if (!isListed || transfer.isNoMoney !== null) continue
    const id = provider === 'sepay' ? report.eventId : UNREPORTED_IDS + transfer.key
    if (books.has(transfer.key) && provider !== 'sepay') continue
    books.set(transfer.key, { ...wordedFor(report), amount: transfer.amount, id })
  }
  return [...books.values()]
}
