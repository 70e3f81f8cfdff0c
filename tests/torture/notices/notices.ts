import { reconciled, settle, total } from '../../harness/verification.ts'
import { secondsSince, seeded } from '../../harness/numbers.ts'
import {
  closeDays,
  type Closing,
  type InboxListing,
  insertScenario,
  openInbox,
  openSetup,
  type SetupOptions,
} from './setup.ts'
import { type Verification, verify } from './verification.ts'
import { Model } from './model.ts'
import { schedule, sendAll } from './sending.ts'
import { ScenarioBuilder } from './scenario.ts'

export type NoticesOptions = {
  seed: number
  notices: number
  lanes: number
  /** Sent evenly in so much time; as fast as they are taken when left out. */
  seconds?: number
  setup?: SetupOptions
}

export type NoticesReport = Verification & {
  closing: Closing
  inbox: InboxListing
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
  await using cleanup = new AsyncDisposableStack()
  const setup = await openSetup(cleanup, where)
  await insertScenario(setup, scenario)
  const began = performance.now()
  const planned = schedule(scenario.reports, lanes, random)
  const log = await sendAll(setup.portal.url, planned, { model, seconds: pace })
  const seconds = secondsSince(began)
  // What a request left undecided is decided by the sweeper.
  const settleSeconds = await settle(setup.db, SETTLE_MS_MAX)
  if (settleSeconds >= SETTLE_MS_MAX / 1_000) throw new Error('notifications are left undecided')
  const inbox = await openInbox(setup)
  await inbox.dismissContradictions(model.conflicts.length)
  const closing = await closeDays(setup, scenario, model)
  const found = {
    ...(await verify(setup.owner, scenario, model)),
    closing,
    inbox: await inbox.readReview(),
    reconcile: await reconciled(setup.db),
    wrongAnswers: log.wrong,
  }
  return {
    seed,
    notices: scenario.reports.length,
    sent: log.sent,
    mangled: scenario.reports.filter(({ transfer }) => transfer.isMangled).length,
    seconds,
    settleSeconds,
    ...found,
    isClean: isClean(found),
  }
}

type Found = Pick<NoticesReport, keyof Verification | 'closing' | 'inbox' | 'reconcile' | 'wrongAnswers'>

function isClean(found: Found): boolean {
  const { wrongFates, notOnce, wrongAnswers, wallets, books, closing, inbox, reconcile } = found
  const lists = [wrongFates, notOnce, wrongAnswers, closing.differences, inbox.missing, inbox.twice]
  return (
    lists.every((list) => list.length === 0) &&
    wallets + total(reconcile) === 0 &&
    inbox.listed === found.review &&
    books.expectedVnd === books.creditedVnd &&
    books.ledgerCoins === books.dueCoins
  )
}
