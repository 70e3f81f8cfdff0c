import { setTimeout as sleep } from 'node:timers/promises'
import { reconcile } from '#server/modules/wallet/index.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { seeded } from '../random.ts'
import { closeDays, type Closing } from './closing.ts'
import { openInbox, type InboxSeen } from './inbox.ts'
import { judge, type Verdict } from './judge.ts'
import { Model } from './model.ts'
import { schedule } from './schedule.ts'
import { sendAll } from './sending.ts'
import { ScenarioBuilder } from './scenario.ts'
import { openSetup, insertScenario, type Setup, type SetupOptions } from './setup.ts'
import { secondsSince } from '../seconds-since.ts'

export type NoticesOptions = {
  seed: number
  notices: number
  lanes: number
  /** Sent evenly in so much time; as fast as they are taken when left out. */
  seconds?: number
  setup?: SetupOptions
}

export type NoticesReport = Verdict & {
  closing: Closing
  inbox: InboxSeen
  seed: number
  /** Different notifications, and how often they were sent in all. */
  notices: number
  sent: number
  mangled: number
  wrongAnswers: string[]
  seconds: number
  /** From the last notification until everything is decided. */
  settleSeconds: number
  reconcile: Record<string, number>
  isClean: boolean
}

const SETTLE_MS_MAX = 60_000

/**
 * Four providers report transfers of every kind, shuffled, up to ten times each, up to three days late, half of
 * the memos damaged; the portal's result is compared with a model of the rules that shares no code with it.
 */
export async function tortureNotices({
  seed,
  notices,
  lanes,
  seconds: pace = 0,
  setup: where = {},
}: NoticesOptions): Promise<NoticesReport> {
  const random = seeded(seed)
  const scenario = new ScenarioBuilder(random, new Date()).build(notices)
  const model = new Model(scenario)
  const setup = await openSetup(where)
  try {
    await insertScenario(setup, scenario)
    const began = performance.now()
    const planned = schedule(scenario.reports, lanes, random)
    const log = await sendAll(setup.portal.url, planned, { model, seconds: pace })
    const seconds = secondsSince(began)
    const sent = performance.now()
    await settled(setup)
    const settleSeconds = secondsSince(sent)
    const inbox = await openInbox(setup)
    await inbox.dismissContradictions(model.conflicts.length)
    const closing = await closeDays(setup, scenario, model)
    const verdict = await judge(setup.owner, scenario, model)
    const seen = await inbox.readReview(setup)
    const rows = await reconciled(setup)
    return {
      seed,
      notices: scenario.reports.length,
      sent: log.sent,
      mangled: scenario.reports.filter(({ transfer }) => transfer.isMangled).length,
      wrongAnswers: log.wrong,
      seconds,
      settleSeconds,
      ...verdict,
      closing,
      inbox: seen,
      reconcile: rows,
      isClean: isClean({ ...verdict, closing, inbox: seen }, log.wrong, rows),
    }
  } finally {
    await setup.end()
  }
}

type Findings = Verdict & { closing: Closing; inbox: InboxSeen }

function isClean(found: Findings, wrongAnswers: string[], rows: Record<string, number>): boolean {
  const { wrongFates, notOnce, wallets, books, closing, inbox } = found
  const isInboxWhole = inbox.listed === found.review
  const lists = [wrongFates, notOnce, wrongAnswers, closing.differences, inbox.missing, inbox.twice]
  const areBooksEqual = books.expectedVnd === books.creditedVnd && books.ledgerCoins === books.dueCoins
  const isReconciled = Object.values(rows).every((count) => count === 0)
  return (
    lists.every((list) => list.length === 0) && wallets === 0 && isInboxWhole && areBooksEqual && isReconciled
  )
}

/** What a request left undecided is decided by the sweeper. */
async function settled({ owner }: Setup): Promise<void> {
  const deadline = Date.now() + SETTLE_MS_MAX
  for (;;) {
    const { rows } = await owner.query(`SELECT FROM payment_event WHERE status = 'new' LIMIT 1`)
    if (rows.length === 0) return
    if (Date.now() > deadline) throw new Error('notifications are left undecided')
    await sleep(200)
  }
}

async function reconciled({ ownerUrl }: Setup): Promise<Record<string, number>> {
  const db = openDatabase({
    url: ownerUrl,
    log: openLog('error'),
    connectionsMax: 1,
    statementTimeoutMs: 120_000,
  })
  try {
    const rows = await reconcile(db)
    return Object.fromEntries(rows.map((row) => [row.check, row.count]))
  } finally {
    await db.destroy()
  }
}
