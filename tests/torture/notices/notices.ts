import { isVerified, reconciled, settle, shown } from '../../harness/verification.ts'
import { secondsSince, seeded } from '../../harness/numbers.ts'
import { closeDays, insertScenario, openInbox, openSetup, type SetupOptions } from './setup.ts'
import { verify } from './verification.ts'
import { Model } from './model.ts'
import { schedule, sendAll } from './sending.ts'
import { isMangled, ScenarioBuilder } from './scenario.ts'

export type NoticesOptions = {
  seed: number
  notices: number
  lanes: number
  /** Sent evenly in so much time; as fast as they are taken when left out. */
  seconds?: number
  setup?: SetupOptions
}

export type NoticesReport = Awaited<ReturnType<typeof tortureNotices>>

const SETTLE_MS_MAX = 60_000

/**
 * Four providers report transfers of every kind, shuffled, up to ten times each, up to three days late, half of
 * the memos damaged; the portal's result is compared with a model of the rules that shares no code with it.
 */
export async function tortureNotices(options: NoticesOptions) {
  const { seed, lanes, seconds: pace = 0, setup: where = {} } = options
  const random = seeded(seed)
  const scenario = new ScenarioBuilder(random, new Date()).build(options.notices)
  const model = new Model(scenario)
  await using cleanup = new AsyncDisposableStack()
  const setup = await openSetup(cleanup, where)
  await insertScenario(setup, scenario)
  const began = performance.now()
  const planned = schedule(scenario.reports, lanes, random)
  const sending = await sendAll(setup.portal.url, planned, { model, seconds: pace })
  const seconds = secondsSince(began)
  // What a request left undecided is decided by the sweeper.
  const settleSeconds = await settle(setup.db, SETTLE_MS_MAX)
  if (settleSeconds >= SETTLE_MS_MAX / 1_000) throw new Error('notifications are left undecided')
  const inbox = await openInbox(setup)
  await inbox.dismissContradictions(model.conflicts.length)
  const { closes, differences } = await closeDays(setup, scenario, model)
  const { credited, review, ignored, books, ...fates } = await verify(setup.owner, scenario, model)
  const reading = await inbox.readReview()
  const wrong = [...sending.wrong, ...fates.wrong, ...differences, ...reading.wrong]
  if (reading.listed !== review)
    wrong.push(`${reading.listed} transfers are listed for review, not ${review}`)
  const verification = { acknowledged: credited, books, reconcile: await reconciled(setup.db) }
  return {
    seed,
    /** Different notifications, and how often they were sent in all. */
    notices: scenario.reports.length,
    sent: sending.sent,
    mangled: scenario.reports.filter(({ transfer }) => isMangled(transfer)).length,
    seconds,
    /** From the last notification until everything is decided. */
    settleSeconds,
    credited,
    review,
    ignored,
    closes,
    ...shown(verification),
    wrong,
    isClean: wrong.length === 0 && isVerified(verification),
  }
}
