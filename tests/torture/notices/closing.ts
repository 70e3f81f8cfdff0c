import { readConfig } from '#server/config/config.ts'
import { wireDeps } from '#server/app/deps.ts'
import { dayOf, reconcileDay } from '#server/modules/reconciliation/index.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { DatabaseListener } from '#server/platform/db/listener.ts'
import { openLog } from '#server/platform/log/log.ts'
import { startFakeProviders, type FakeTransfer } from '#tests/fakes/provider-server.ts'
import { PAYMENT_KEYS } from '#tests/support/payment-keys.ts'
import type { Model } from './model.ts'
import { SECRETS, wordedFor } from './sending.ts'
import { ACCOUNTS, type Report, type Scenario } from './scenario.ts'
import type { Setup } from './setup.ts'

const SEPAY_TOKEN = 'sepay-token-of-the-run'
/** SePay's ids for transfers that another provider reported. */
const UNTOLD_IDS = 10_000_000

export type Closing = { days: number; closes: number; differences: string[] }

/**
 * Pulls the bank's list day by day and closes each day:
 * this finds transfers without a notification, or with a stale one only.
 */
export async function closeDays(setup: Setup, scenario: Scenario, model: Model): Promise<Closing> {
  const bank = await startFakeProviders({
    sepayToken: SEPAY_TOKEN,
    cassoToken: 'asked by nobody',
    momo: {
      partnerCode: PAYMENT_KEYS.momo.partnerCode,
      accessKey: PAYMENT_KEYS.momo.accessKey,
      secretKey: PAYMENT_KEYS.momo.secret,
    },
    payos: { clientId: 'asked by nobody', apiKey: 'asked by nobody', checksumKey: PAYMENT_KEYS.payos },
  })
  bank.transfers.push(...booksOf(scenario))
  const log = openLog('fatal')
  const db = openDatabase({ url: setup.ownerUrl, log, connectionsMax: 4, statementTimeoutMs: 60_000 })
  const listener = new DatabaseListener(setup.ownerUrl, log)
  try {
    const config = readConfig({
      ...SECRETS,
      DATABASE_URL: setup.ownerUrl,
      DEMO: '0',
      GAME_SERVER_URL: 'embedded',
      SEPAY_API_TOKEN: SEPAY_TOKEN,
      SEPAY_BASE_URL: bank.url,
    })
    const deps = wireDeps({ config, log, database: { db, listener } })
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
  } finally {
    await db.destroy()
    await bank.close()
  }
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
    const id = provider === 'sepay' ? report.eventId : UNTOLD_IDS + transfer.key
    if (books.has(transfer.key) && provider !== 'sepay') continue
    books.set(transfer.key, { ...wordedFor(report), amount: transfer.amount, id })
  }
  return [...books.values()]
}
