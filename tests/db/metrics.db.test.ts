import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ALARM_NAMES, type AlarmName } from '#contract/operator/alarms.ts'
import { watchAlarms } from '#server/modules/alarms/alarms.service.ts'
import { countOpenOrders } from '#server/modules/statistics/gauges.queries.ts'
import { readFigures } from '#server/modules/statistics/figures.service.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { PAYMENT_VENDORS } from '#server/modules/payment-providers/index.ts'
import { openMetricsServer, type MetricsServer } from '#server/platform/metrics/metrics-server.ts'
import { metricsText, observeSeconds } from '#server/platform/metrics/metrics.ts'
import { alarmExpr, readAlertRules, selectorsOf, valuesOf } from '#tests/support/alert-rules.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aNotification, balanceOf, deliver, openAccounts, payment } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { AS_IF_LARGE, openPlanner, readWhole } from '#tests/support/plans.ts'
import { aPlayer, creditPlayer } from '#tests/support/players.ts'
import { PROVOKED } from '#tests/support/provoked-alarms.ts'
import { boundHere, quickest } from '#tests/support/timing.ts'

const SCRAPE_MS_MAX = 50

const portal = useTestApp()
let server: MetricsServer
let rules: Awaited<ReturnType<typeof readAlertRules>>
/** Of a new database, before anything has happened. */
let atStart: string
beforeAll(async () => {
  await openAccounts(portal)
  server = await openMetricsServer({ host: '127.0.0.1', port: 0 })
  rules = await readAlertRules()
  await watchAlarms(portal.deps)
  await readFigures(portal.deps)
  atStart = await scrape()
})
afterAll(() => server.close())

const scrape = async () => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()

/** The value of one line of a scrape; 0 when there is none yet. */
async function valueOf(series: string): Promise<number> {
  const line = (await scrape()).split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** How much a value grew while something was done. */
async function growthOf(series: string, work: () => Promise<unknown>): Promise<number> {
  const before = await valueOf(series)
  await work()
  return (await valueOf(series)) - before
}

/** How often something takes a connection of any pool, whatever else goes on in the portal meanwhile. */
async function connectionsFor(work: () => Promise<unknown>): Promise<number> {
  const context = new AsyncLocalStorage<true>()
  let count = 0
  // oxlint-disable-next-line typescript/unbound-method
  const connect = pg.Pool.prototype.connect as (this: pg.Pool, ...given: unknown[]) => unknown
  const spy = vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(function (this: pg.Pool, ...given) {
    if (context.getStore()) count++
    return connect.apply(this, given) as never
  })
  try {
    await context.run(true, work)
  } finally {
    spy.mockRestore()
  }
  return count
}

describe('a scrape', () => {
  test('is answered within 50 ms from memory, without a statement', async () => {
    await watchAlarms(portal.deps)
    await readFigures(portal.deps)
    // A route comes with its first request; these are more than a portal has that has run for long.
    for (let route = 0; route < 300; route++)
      for (const status of ['2xx', '4xx'])
        observeSeconds('portal_request_duration_seconds', { method: 'GET', route: `/${route}`, status }, 0.1)
    expect(await connectionsFor(() => readFigures(portal.deps))).toBeGreaterThan(5)
    expect(await connectionsFor(metricsText)).toBe(0)
    expect(await quickest(scrape, { runs: 40 })).toBeLessThan(await boundHere(SCRAPE_MS_MAX))
  })

  test('is all that its port answers, and the port that players reach does not know it', async () => {
    const text = await scrape()
    expect(text).toContain('# TYPE portal_request_duration_seconds histogram')
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
    expect(text).toMatch(/^process_resident_memory_bytes /m)
    for (const path of ['/', '/api/settings', '/metrics/'])
      expect((await fetch(`http://127.0.0.1:${server.port}${path}`)).status).toBe(404)
    for (const path of ['/metrics', '/api/metrics']) {
      const answer = await portal.app.inject({ method: 'GET', url: path })
      expect(answer.statusCode).toBe(404)
      expect(answer.body).not.toContain('portal_')
    }
  })

  test('names routes by their pattern, never an address that somebody requested', async () => {
    const player = await aPlayer(portal)
    await portal.call('GET', '/api/user/deliveries/11111111-1111-4111-8111-111111111111', {
      token: player.token,
    })
    await portal.call('GET', '/api/not-a-call-of-ours')
    const text = await scrape()
    expect(text).toMatch(/route="\/api\/user\/deliveries\/:\w+"/)
    expect(text).not.toMatch(/11111111-1111|not-a-call-of-ours/)
  })
})

describe('what happens is counted', () => {
  test('a payment: received, credited, and its transfer once it is committed', async () => {
    const credited = 'portal_notifications_total{provider="sepay",outcome="credited"}'
    const transfers = 'portal_ledger_transfers_total{kind="recharge"}'
    const notify = async () => {
      const { player, order } = await payment(portal)
      const notification = aNotification({ content: order.code })
      await deliver(portal, notification)
      // A repeat is no other payment.
      await deliver(portal, notification)
      expect(await balanceOf(portal, player)).toBeGreaterThan(0)
    }
    expect(await growthOf(transfers, notify)).toBe(1)
    expect(await growthOf(credited, notify)).toBe(1)
    expect(
      await growthOf('portal_notifications_total{provider="sepay",outcome="refused"}', () =>
        deliver(portal, aNotification(), { secret: 'a secret that is not ours' }),
      ),
    ).toBe(1)
  })

  test('a movement that is undone is none', async () => {
    const { walletId: credit } = await aPlayer(portal)
    const source = { type: 'test', id: 'undone' }
    const move = (isUndone: boolean) =>
      inTransaction(portal.db, async (tx) => {
        await postTransfer(tx, { kind: 'adjustment', debit: HOUSE.adjustment, credit, amount: 5, source })
        if (isUndone) throw new Error('undone')
      })
    const moved = 'portal_ledger_transfers_total{kind="adjustment"}'
    expect(await growthOf(moved, () => move(true).catch(() => {}))).toBe(0)
    expect(await growthOf(moved, () => move(false))).toBe(1)
  })

  test('a wrong password', async () => {
    const { username } = await aPlayer(portal)
    expect(
      await growthOf('portal_logins_total{outcome="failed"}', () =>
        portal.call('POST', '/api/auth/login', { body: { username, password: 'khong-phai-mat-khau' } }),
      ),
    ).toBe(1)
  })
})

describe('figures that the worker reads', () => {
  test('show what the portal’s accounts owe, which is what players hold', async () => {
    await creditPlayer(portal, await aPlayer(portal), 12_345)
    await readFigures(portal.deps)
    const held = await portal.db
      .selectFrom('ledger_account')
      .select(({ fn }) => fn.sum<string>('balance').as('sum'))
      .where('user_id', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(await valueOf('portal_circulation_tcoin')).toBe(Number(held.sum))
    expect(await valueOf('portal_house_tcoin{account="adjustment"}')).toBeLessThan(0)
  })

  test('count the open orders, and 0 where there is none', async () => {
    await payment(portal)
    await readFigures(portal.deps)
    const open = (await countOpenOrders(portal.db)).find(({ state }) => state === 'pending')?.count
    expect(open).toBeGreaterThan(0)
    expect(await valueOf('portal_recharge_orders_open{state="pending"}')).toBe(open)
    expect(await scrape()).toContain('portal_deliveries_open{state="unknown"} 0')
  })

  test('read no growing table from end to end', async () => {
    const planner = await openPlanner(portal)
    try {
      await planner.owner.query(AS_IF_LARGE)
      const { queries, nodes } = await planner.plansOf(() => readFigures({ db: planner.db }))
      expect(queries).toBeGreaterThan(5)
      expect(
        readWhole(
          nodes,
          /^(bank_transaction|payment_event|payment_order|delivery|mail_outbox|ledger_account|reconciliation_run|daily_close)$/,
        ),
      ).toEqual([])
    } finally {
      await planner.close()
    }
  })
})

describe('a portal that was just started on a new database', () => {
  test('has every series that the rules name, but for those of parts that it has not', () => {
    // Prometheus makes `up`; a portal of the tests has no replica, no certificate and no loops, which `npm run alerts-check` has.
    const others = [
      'replica_lag',
      'certificate',
      'breaker_open',
      'database_disk_full',
      'database_refuses_changes',
      'database_away',
      'database_faults',
    ]
    const absent = rules
      .flatMap(({ expr }) => selectorsOf(expr))
      .filter(({ metric }) => metric !== 'up' && !others.some((other) => metric.includes(other)))
      .filter((selector) => valuesOf(atStart, selector).length === 0)
    expect(absent).toEqual([])
    const refused = { metric: 'portal_notifications_total', labels: { outcome: 'refused' } }
    // Other tests of this process may have counted before.
    expect(valuesOf(atStart, refused)).toHaveLength(PAYMENT_VENDORS.length)
  })

  test('says since when the checks of the books are missing, and when the nightly close is due', () => {
    const now = Date.now() / 1_000
    for (const metric of [
      'portal_reconciliation_finished_timestamp_seconds',
      'portal_daily_close_due_timestamp_seconds',
    ]) {
      const [value = 0] = valuesOf(atStart, { metric, labels: {} })
      expect(now - value, metric).toBeLessThan(3_600)
      expect(now - value, metric).toBeGreaterThan(-86_400)
    }
  })
})

const countedBy = async (name: AlarmName) => {
  expect(rules.map(({ expr }) => expr)).toContain(alarmExpr(name))
  return valuesOf(await scrape(), { metric: 'portal_alarm', labels: { name } })
}

describe('an alarm that is provoked is more than 0, which fires its rule', () => {
  const names = ALARM_NAMES.filter((name) => name !== 'one-person')
  test.each(names)('%s', async (name) => {
    await watchAlarms(portal.deps)
    expect(await countedBy(name)).toEqual([0])
    await PROVOKED[name as keyof typeof PROVOKED](portal)
    await watchAlarms(portal.deps)
    expect((await countedBy(name))[0]).toBeGreaterThan(0)
  })

  test('one-person', async () => {
    await watchAlarms({ ...portal.deps, isSecondPersonNeeded: false })
    expect(await countedBy('one-person')).toEqual([1])
    await watchAlarms(portal.deps)
    expect(await countedBy('one-person')).toEqual([0])
  })

  test('goes with what it was about', async () => {
    await asOwner(portal, 'DELETE FROM mail_outbox WHERE last_error IS NOT NULL')
    await watchAlarms(portal.deps)
    expect(await countedBy('failed-mails')).toEqual([0])
    expect(await valueOf('portal_alarm_age_seconds{name="unmatched-transfers"}')).toBeGreaterThan(7_000)
  })
})
