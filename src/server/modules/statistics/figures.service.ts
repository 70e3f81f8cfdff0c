import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { DOMAIN_METRICS, setGauge, setGauges } from '#server/domain/metrics.ts'
import {
  type Counted,
  countMails,
  countOpenDeliveries,
  countOpenOrders,
  listOwnBalances,
  readLastChecks,
  readOldest,
} from './gauges.queries.ts'
import { computeStatistics } from './statistics.service.ts'

const { portal_deliveries_open, portal_recharge_orders_open, portal_mail_outbox } = DOMAIN_METRICS

/** Reads what only the database knows into the gauges: a scrape then finds it in memory. */
export async function readFigures({ db }: { db: Db }): Promise<void> {
  const oldest = await readOldest(db)
  setGauge('portal_oldest_seconds', { what: 'unmatched-transfer' }, oldest.unmatched)
  setGauge('portal_oldest_seconds', { what: 'undecided-notification' }, oldest.undecided)
  setGauge('portal_oldest_seconds', { what: 'pending-delivery' }, oldest.delivery)
  setGauges(
    'portal_deliveries_open',
    byState(portal_deliveries_open.labels.state, await countOpenDeliveries(db)),
  )
  setGauges(
    'portal_recharge_orders_open',
    byState(portal_recharge_orders_open.labels.state, await countOpenOrders(db)),
  )
  setGauges('portal_mail_outbox', byState(portal_mail_outbox.labels.state, await countMails(db)))
  await readTCoin(db)
  await readChecks(db)
  setGauge('portal_figures_read_timestamp_seconds', {}, Date.now() / 1_000)
}

/** A state that nothing is in counts 0: an absent value would look like a process that does not report. */
const byState = <State extends string>(states: readonly State[], counted: readonly Counted[]) =>
  states.map((state) => ({
    labels: { state },
    value: counted.find((row) => row.state === state)?.count ?? 0,
  }))

async function readTCoin(db: Db): Promise<void> {
  const balances = (await listOwnBalances(db)).map(({ kind, balance }) => ({
    labels: { account: kind },
    value: parseCoins(balance),
  }))
  setGauges('portal_house_tcoin', balances)
  // All accounts add up to zero (R1).
  setGauge('portal_circulation_tcoin', {}, -balances.reduce((sum, { value }) => sum + value, 0))
}

async function readChecks(db: Db): Promise<void> {
  const { found, finished, closeDue, closedDay, green, red, notCompared, empty } = await readLastChecks(db)
  if (found !== null) setGauge('portal_reconciliation_found', {}, found)
  setGauge('portal_reconciliation_finished_timestamp_seconds', {}, finished)
  setGauge('portal_daily_close_due_timestamp_seconds', {}, closeDue)
  if (closedDay === null) return
  setGauge('portal_daily_close_day_timestamp_seconds', {}, closedDay)
  setGauge('portal_daily_close_accounts', { status: 'green' }, green)
  setGauge('portal_daily_close_accounts', { status: 'red' }, red)
  setGauge('portal_daily_close_accounts', { status: 'not-compared' }, notCompared)
  setGauge('portal_daily_close_accounts', { status: 'empty' }, empty)
}

const MINUTE_MS = 60_000
const FIGURES_MS = 30_000

export function startStatisticsJobs({ db, clock, log }: PlatformDeps): Loop[] {
  const round = () => computeStatistics({ db, log, now: clock.now() })
  return startLoops(log, [{ name: 'figures of the last hours', pauseMs: MINUTE_MS, round }])
}

/** For the metrics, when they are served. */
export function startFigureJobs({ db, log }: PlatformDeps): Loop[] {
  const round = () => readFigures({ db })
  return startLoops(log, [{ name: 'figures of the metrics', pauseMs: FIGURES_MS, round }])
}
