import { readConfig } from '#server/config/config.ts'
import { wireDeps } from '#server/app/deps.ts'
import { dayOf, reconcileDay } from '#server/modules/reconciliation/index.ts'
import { DatabaseListener } from '#server/platform/db/notices.ts'
import { connect } from '#server/platform/db/owner.ts'
import { openLog } from '#server/platform/log/log.ts'
import { anOperatorWithoutProof } from '#tests/support/operators.ts'
import { ACB, MOMO, PAYMENT_ENVIRONMENT, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { startPortalProcess } from '#tests/support/processes.ts'
import { setSetting } from '#tests/support/settings.ts'
import type { TestTransfer } from '#tests/support/signed-notifications.ts'
import {
  newFolder,
  openRunDatabase,
  SEPAY_TOKEN,
  startBank,
  startPostgres,
  type Cleanup,
} from '../../harness/fleet.ts'
import { fetchOk, Client, portalThrough } from '../../harness/client.ts'
import { countsOf, sum } from '../../harness/numbers.ts'
import type { Model } from './model.ts'
import { wordedFor } from './sending.ts'
import type { PlannedOrder, Report, Scenario } from './scenario.ts'

type Running = { url: string; end(): Promise<unknown> }

export type SetupOptions = {
  /** The owner's connection string of an empty database; by default an embedded PostgreSQL is started. */
  databaseUrl?: string
  /** Starts the portal in the test's own process, which is faster than a separate one. */
  startPortal?: (environment: Record<string, string>) => Promise<Running>
}

export type Setup = Awaited<ReturnType<typeof openSetup>>

/** A production-like portal: no demo, four providers' webhooks. */
export async function openSetup(cleanup: Cleanup, { databaseUrl, startPortal }: SetupOptions) {
  const dataDir = await newFolder(cleanup, 'notices')
  const ownerUrl = databaseUrl ?? (await startPostgres(cleanup, dataDir))
  const environment = {
    DATABASE_URL: ownerUrl,
    DATA_DIR: dataDir,
    DEMO: '0',
    GAME_SERVER_URL: 'embedded',
    LOG_LEVEL: 'fatal',
    TRUST_PROXY: '127.0.0.1',
    ...PAYMENT_ENVIRONMENT,
  }
  const portal = await (startPortal?.(environment) ?? startPortalProcess({ dataDir, environment }))
  cleanup.defer(async () => void (await portal.end()))
  const owner = await connect(ownerUrl)
  cleanup.defer(() => owner.end())
  return { portal, owner, environment, db: await openRunDatabase(cleanup, ownerUrl) }
}

/** Players' ids begin here, clear of those the portal assigns itself. */
export const FIRST_PLAYER = 5_000_000

type People = {
  players: Scenario['players']
  orders: Pick<
    PlannedOrder,
    'code' | 'player' | 'channel' | 'amount' | 'rate' | 'account' | 'isCancelled' | 'createdAt'
  >[]
}

/** Inserts the players and orders of the run in their state before the money arrives. */
export async function insertScenario({ owner, db }: Setup, scenario: People): Promise<void> {
  for (const [bank, account] of Object.entries({ vietcombank: VIETCOMBANK, acb: ACB, momo: MOMO }))
    await setSetting({ db }, `bank_account_${bank}`, JSON.stringify(account))
  await owner.query(
    `INSERT INTO users (id, username, password_hash, server_id, wallet_account_id, ban_until, ban_reason)
     SELECT $1::bigint + at - 1, 'thuthach' || at, 'no password opens this', (SELECT min(id) FROM servers),
       ledger_open_account('user_wallet', $1::bigint + at - 1),
       CASE WHEN is_banned THEN now() + interval '1 year' END, CASE WHEN is_banned THEN 'thử' END
       FROM unnest($2::boolean[]) WITH ORDINALITY AS player (is_banned, at)`,
    [FIRST_PLAYER, scenario.players.map(({ isBanned }) => isBanned)],
  )
  await owner.query(
    `INSERT INTO payment_order (code, user_id, channel, amount, rate, bank_bin, account_number, account_name, qr,
       status, created_at, expires_at)
     SELECT code, $1::bigint + player, channel, amount, rate, '970436', account, 'CONG TY NINJA', '',
       CASE WHEN "isCancelled" THEN 'cancelled' ELSE 'pending' END, "createdAt", "createdAt" + interval '30 minutes'
       FROM jsonb_to_recordset($2) AS planned (code text, player int, channel int, amount bigint, rate bigint,
         account text, "isCancelled" boolean, "createdAt" timestamptz)`,
    [FIRST_PLAYER, JSON.stringify(scenario.orders)],
  )
  await owner.query('ANALYZE')
}

const PAGE_ROWS = 100

/** An operator who reads the inbox as the console would: by HTTP, page after page. */
export async function openInbox({ portal: { url }, db, owner }: Setup) {
  const client = new Client(url)
  const { token } = await anOperatorWithoutProof(portalThrough(client, db), 'owner')

  /** The ids of every row of a list, in the order of its pages. */
  async function listAll(resource: string, filter: Record<string, string | true>): Promise<string[]> {
    const ids: string[] = []
    for (let from = 0; ; from += PAGE_ROWS) {
      const query = new URLSearchParams({
        sort: '["id","ASC"]',
        range: JSON.stringify([from, from + PAGE_ROWS - 1]),
        filter: JSON.stringify(filter),
      })
      const page = await fetchOk(url, { path: `/api/operator/${resource}?${query}`, token })
      const rows = page.body as { id: string }[]
      ids.push(...rows.map(({ id }) => id))
      if (rows.length < PAGE_ROWS) return ids
    }
  }
  return {
    /** Notifications that contradict the bank are examined and set aside. */
    async dismissContradictions(expected: number): Promise<void> {
      const ids = await listAll('payment-events', { state: 'review', waiting: true })
      if (ids.length !== expected) throw new Error(`${ids.length} contradictions are listed, not ${expected}`)
      for (const id of ids) {
        const path = `/api/operator/payment-events/${id}/dismiss`
        const body = { reason: 'Ngân hàng xác nhận số tiền khác' }
        const answer = await client.untilDefinite({ path, token, body })
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
      }
    },
    /** Every transfer in review is to be read in the inbox, once. */
    async readReview() {
      const listed = countsOf(await listAll('bank-transfers', { state: 'review' }))
      const { rows } = await owner.query<{ id: string }>(
        `SELECT id FROM bank_transaction WHERE state = 'review'`,
      )
      const wrong = rows.filter(({ id }) => listed.get(id) !== 1)
      return {
        listed: sum(listed.values()),
        wrong: wrong.map(({ id }) => `the inbox lists transfer ${id} ${listed.get(id) ?? 0} times`),
      }
    },
  }
}

/** SePay's ids for transfers that another provider reported. */
const UNREPORTED_IDS = 10_000_000

/**
 * Pulls the bank's list day by day and closes each day:
 * this finds transfers without a notification, or with a stale one only.
 */
export async function closeDays(setup: Setup, scenario: Scenario, model: Model) {
  await using cleanup = new AsyncDisposableStack()
  const bank = await startBank(cleanup)
  bank.transfers.push(...booksOf(scenario))
  const { db, environment } = setup
  const log = openLog('fatal')
  const config = readConfig({ ...environment, SEPAY_API_TOKEN: SEPAY_TOKEN, SEPAY_BASE_URL: bank.url })
  const listener = new DatabaseListener(environment.DATABASE_URL, log)
  const deps = wireDeps({ config, log, database: { db, listener } })
  const days = new Set(scenario.reports.map(({ transfer }) => dayOf(transfer.bookedAt)))
  let closes = 0
  const differences: string[] = []
  for (const day of [...days].sort()) {
    for (const close of (await reconcileDay(deps, day)).closes) {
      closes++
      differences.push(...close.differences.map((name) => `${day} ${close.accountNumber}: ${name}`))
    }
  }
  for (const report of scenario.reports) if (isUnreported(report)) model.arrive(report)
  return { closes, differences }
}

/** No copy came with a signature of its time. */
const isUnreported = ({ copies, staleCopies }: Report) => copies === staleCopies

/** Vietcombank's and ACB's own books, as SePay lists them. */
function booksOf(scenario: Scenario): TestTransfer[] {
  const books = new Map<number, TestTransfer>()
  for (const report of scenario.reports) {
    const { transfer, provider } = report
    const isListed = transfer.account === VIETCOMBANK.number || transfer.account === ACB.number
    if (!isListed || transfer.isNoMoney !== null) continue
    const id = provider === 'sepay' ? report.eventId : UNREPORTED_IDS + transfer.key
    if (books.has(transfer.key) && provider !== 'sepay') continue
    books.set(transfer.key, { ...wordedFor(report), amount: transfer.amount, id })
  }
  return [...books.values()]
}
