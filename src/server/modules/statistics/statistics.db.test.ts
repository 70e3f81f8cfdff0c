import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aNotification, anOrder, aTransfer, deliver, openAccounts } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { buyLuongFor, charactersOf } from '#tests/support/purchases.ts'
import { AS_IF_LARGE, openPlanner, readWhole } from '#tests/support/plans.ts'
import { countActive, findFirstHour, sumSpan } from './statistics.queries.ts'
import { computeStatistics } from './statistics.service.ts'

const HOUR_MS = 3_600_000
/** More than these tests take. They compare figures by the hour: none may begin before they are done. */
const TESTS_MS_MAX = 120_000
const left_ms = HOUR_MS - (Date.now() % HOUR_MS)
if (left_ms < TESTS_MS_MAX) await delay(left_ms)

const portal = useTestApp()

const compute = async (now = new Date()) => {
  while (await computeStatistics({ ...portal.deps, now }));
}
const read = async (query = '') =>
  portal.call('GET', `/api/operator/statistics?${query}`, { token: owner.token })
const today = vietnamDay(new Date())
const rows = async (by: string, from = today, to = today) =>
  (await read(`from=${from}&to=${to}&by=${by}`)).body.rows
const total = (all: Record<string, number>[], name: string) =>
  all.reduce((sum, row) => sum + (row[name] ?? 0), 0)

const stored = () =>
  portal.db
    .selectFrom('statistics_hour')
    .selectAll()
    .orderBy('hour')
    .execute()
    // Two of them depend on when they are computed.
    .then((all) => all.map((row) => ({ ...row, computed_at: null, unmatched_age_s: null })))
const active = () =>
  portal.db.selectFrom('statistics_active').selectAll().orderBy('period').orderBy('start').execute()

async function pay(player: TestPlayer, amount: number): Promise<void> {
  const { code } = await anOrder(portal, player, { amount })
  await deliver(portal, aNotification({ content: code, transferAmount: amount }))
}

const clear = () =>
  asOwner(
    portal,
    'TRUNCATE statistics_hour, statistics_part, statistics_payer, statistics_active, statistics_active_player',
  )

const { owner } = useOperators(portal, { owner: 'owner' })
beforeAll(async () => {
  await openAccounts(portal)
  const [one, two] = [await aPlayer(portal, { isActivated: true }), await aPlayer(portal)]
  await pay(one, 50_000)
  await pay(one, 30_000)
  await pay(two, 20_000)
  const [character = ''] = await charactersOf(portal, one)
  await buyLuongFor(portal, { player: one, character, amount: 10_000 })
  await aTransfer(portal)
})

describe('the figures', () => {
  test('are computed again where a clock that was a day ahead computed them', async () => {
    await compute(new Date(Date.now() + 87_000_000))
    const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 5 * HOUR_MS)
    const computedAt = () =>
      portal.db
        .selectFrom('statistics_hour')
        .select('computed_at')
        .where('hour', '=', hour)
        .executeTakeFirst()
    // When its time has come.
    const inIt = new Date(hour.getTime() + 60_000)
    expect((await computedAt())?.computed_at.getTime()).toBeGreaterThan(inIt.getTime())
    await compute(inIt)
    expect(await computedAt()).toEqual({ computed_at: inIt })
    await clear()
  })

  test('of today have what came in, who was new, and where the TCoin are', async () => {
    await compute()
    const [day] = await rows('day')
    const balances = await portal.db
      .selectFrom('ledger_account')
      .select(({ fn }) => ['kind', fn.sum<string>('balance').as('sum')])
      .where('kind', 'in', ['user_wallet', 'delivery_hold'])
      .groupBy('kind')
      .execute()
    const sum = (kind: string) => Number(balances.find((row) => row.kind === kind)?.sum)
    expect(day).toMatchObject({
      money_in: { momo: 0, acb: 0, other: 0 },
      first_recharges: expect.any(Number),
      in_wallets: sum('user_wallet'),
      held: sum('delivery_hold'),
      debts: 0,
      new_players: 3,
    })
    expect(day.money_in.vietcombank).toBe(100_000)
    expect(day.held).toBe(10_000)
    expect(day.active_players).toBe(3)
    expect((await read(`from=${today}&to=${today}`)).body.unmatched_since).toEqual(expect.any(String))
  })

  test('add up to the same by hour, day, week and month', async () => {
    const month = `${today.slice(0, 8)}01`
    const byHour = await rows('hour')
    for (const by of ['day', 'week', 'month']) {
      const periods = await rows(by, by === 'day' ? today : month)
      for (const name of ['issued', 'spent', 'refunded', 'luong', 'new_players', 'first_recharges'])
        expect([by, name, total(periods, name)]).toEqual([by, name, total(byHour, name)])
    }
  })

  test('are the same computed once more, hour by hour with stops, or all at once', async () => {
    await spread()
    await clear()
    await compute()
    const fresh = [await stored(), await active()]
    await compute()
    expect([await stored(), await active()]).toEqual(fresh)
    await clear()
    const now = Date.now()
    // The worker ran at these moments only.
    for (const hoursAgo of [60, 59.5, 31, 30.2, 29, 3, 2.5, 0.4, 0])
      await compute(new Date(now - hoursAgo * HOUR_MS))
    expect([await stored(), await active()]).toEqual(fresh)
    expect(fresh[0]?.length).toBeGreaterThan(50)
  })

  test('of an hour that changes after it was computed are corrected', async () => {
    await clear()
    await compute()
    const before = await stored()
    await pay(await aPlayer(portal), 40_000)
    await compute()
    const after = await stored()
    const last = (all: typeof after) => all.reduce((sum, row) => sum + Number(row.vietcombank_vnd), 0)
    expect(last(after) - last(before)).toBe(40_000)
    // The same payment, written so late that its hour was over and computed.
    await moveBack()
    await compute()
    const corrected = await stored()
    expect(corrected).not.toEqual(after)
    await clear()
    await compute()
    expect(await stored()).toEqual(corrected)
  })

  test('are a file too, with the same rows, which leaves a row in the audit trail', async () => {
    const days = `from=${today}&to=${today}`
    const file = await portal.call('GET', `/api/operator/statistics.csv?${days}&by=day`, {
      token: owner.token,
    })
    const [row] = await rows('day')
    const lines = String(file.body).trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^Kỳ từ,Tiền vào \(VND\),MoMo \(VND\),/)
    expect(lines[1]?.split(',').slice(0, 4)).toEqual([
      `'${today} 00:00:00`,
      String(Object.values<number>(row.money_in).reduce((sum, one) => sum + one, 0)),
      '0',
      String(row.money_in.vietcombank),
    ])
    const trail = portal.db
      .selectFrom('audit_log')
      .select('details')
      .where('action', '=', 'statistics.export')
    expect(await trail.execute()).toEqual([{ details: { filter: { from: today, to: today, by: 'day' } } }])
  })

  test.each([
    ['from=2026-02-30&to=2026-03-01', 'from'],
    ['from=2026-03-02&to=2026-03-01', 'to'],
    ['from=2024-01-01&to=2026-03-01&by=hour', 'to'],
    ['from=x&to=2026-03-01', 'from'],
    ['from=2026-03-01&to=2026-03-02&by=year', 'by'],
  ])('queried as %s are refused at %s', async (query, field) => {
    const { status, body } = await read(query)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('of a time before the portal are zero', async () => {
    const [day] = await rows('day', '2020-01-01', '2020-01-01')
    expect(day).toMatchObject({ issued: 0, in_wallets: 0, active_players: 0 })
  })
})

/** Gives what has happened so far other times, over the last sixty hours. */
async function spread(): Promise<void> {
  await changeLedger(
    `UPDATE ledger_transfer SET created_at = clock_timestamp() - (id * 7919 % 61) * interval '1 hour'`,
  )
  await asOwner(
    portal,
    `UPDATE users SET created_at = clock_timestamp() - (id * 31 % 61 + 2) * interval '1 hour'`,
  )
  await asOwner(portal, `UPDATE sign_in SET at = clock_timestamp() - (id * 17 % 61) * interval '1 hour'`)
}

/** Moves the newest ledger transfer back by an hour. */
const moveBack = () =>
  changeLedger(`UPDATE ledger_transfer SET created_at = created_at - interval '1 hour'
                 WHERE id = (SELECT max(id) FROM ledger_transfer)`)

/** As nobody may at a real portal. */
async function changeLedger(statement: string): Promise<void> {
  await asOwner(portal, 'ALTER TABLE ledger_transfer DISABLE TRIGGER USER')
  await asOwner(portal, statement)
  await asOwner(portal, 'ALTER TABLE ledger_transfer ENABLE TRIGGER USER')
}

describe('the age of money that nobody has decided about', () => {
  const ageOf = async (by: string, from = today, to = today) =>
    (await rows(by, from, to)).map(
      ({ unmatched_age_s }: { unmatched_age_s: number | null }) => unmatched_age_s,
    )
  const waitFor = (seconds: number) =>
    asOwner(
      portal,
      `UPDATE bank_transaction SET created_at = now() - make_interval(secs => $1) WHERE state = 'review'`,
      [seconds],
    )
  /** The middle of this hour, so that no step of the test crosses into another one. */
  const middle = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 2)

  test('is stored for the hour in which it is measured, the longest of it, and stays when the money is decided about', async () => {
    await clear()
    await compute(middle)
    await waitFor(7_200)
    await compute(middle)
    const [longest] = await ageOf('day')
    expect(longest).toBeGreaterThanOrEqual(7_200 - HOUR_MS / 2_000)
    expect(longest).toBeLessThanOrEqual(7_200 + HOUR_MS / 2_000 + 60)
    await asOwner(
      portal,
      "UPDATE bank_transaction SET state = 'ignored', reason = 'x' WHERE state = 'review'",
    )
    await compute(middle)
    expect(await ageOf('day')).toEqual([longest])
    expect((await ageOf('hour')).filter((age: number | null) => age !== null)).toEqual([longest])
    expect((await ageOf('month'))[0]).toBe(longest)
  })

  test('is 0 when nothing waits, and not known for hours that were computed later', async () => {
    await clear()
    await compute(middle)
    expect(await ageOf('day')).toEqual([0])
    // The same hour computed once more when it is over changes nothing.
    await compute(new Date(middle.getTime() + 2 * HOUR_MS))
    const ages = await portal.db
      .selectFrom('statistics_hour')
      .select(['hour', 'unmatched_age_s'])
      .orderBy('hour', 'desc')
      .limit(3)
      .execute()
    expect(ages.map(({ unmatched_age_s }) => unmatched_age_s)).toEqual(['0', null, '0'])
  })
})

describe('the period before', () => {
  const DAY = '2026-03-10'
  const NONE = { from: expect.any(String), to: expect.any(String) }
  const hourOf = (day: string, hour: number) => new Date(Date.parse(`${day}T00:00:00+07:00`) + hour * HOUR_MS)

  /** Every hour of two days and a part of a third, as computed at that moment; player 1 was active in each. */
  async function fill(until: Date, from = hourOf('2026-03-09', 0)): Promise<void> {
    await clear()
    await asOwner(
      portal,
      `INSERT INTO statistics_hour (hour, issued, spent, refunded, wallets_change, held_change, debts_change, momo_vnd,
                                    vietcombank_vnd, acb_vnd, other_vnd, luong, new_players, first_recharges, computed_at)
         SELECT hour, day * 10, day, 1, 5, 2, 0, day * 1000, 200, 30, 4, 7, day, 1, $2
           FROM generate_series($1::timestamptz, $2::timestamptz, interval '1 hour') hour,
                LATERAL (SELECT extract(day FROM hour AT TIME ZONE 'Asia/Ho_Chi_Minh')::integer AS day) d`,
      [from, until],
    )
    await asOwner(
      portal,
      `INSERT INTO statistics_active_player SELECT 'hour', hour, n FROM statistics_hour, generate_series(1, 2) n
        WHERE n = 1 OR hour < $1`,
      [hourOf(DAY, 0)],
    )
  }
  const compared = async (from: string, to = from) => (await read(`from=${from}&to=${to}`)).body.compared

  test('stands beside a day that is over', async () => {
    await fill(hourOf('2026-03-11', 3))
    const { now, before } = await compared(DAY)
    expect(now.from).toBe(hourOf(DAY, 0).toISOString())
    expect(now.to).toBe(hourOf(DAY, 24).toISOString())
    expect(now.figures).toEqual({
      money_in_total: 24 * 10_234,
      issued: 2_400,
      spent: 240,
      refunded: 24,
      in_wallets: 48 * 5,
      held: 48 * 2,
      debts: 0,
      luong: 24 * 7,
      new_players: 240,
      active_players: 1,
      first_recharges: 24,
      money_back: 0,
      deliveries: 0,
      payers: 0,
    })
    expect(before).toMatchObject({ from: hourOf('2026-03-09', 0).toISOString(), to: now.from })
    expect(before.figures).toMatchObject({
      money_in_total: 24 * 9_234,
      issued: 2_160,
      in_wallets: 24 * 5,
      new_players: 216,
      active_players: 2,
    })
  })

  test('ends at the same time as a day that is not over', async () => {
    const minutes = 20 * 60_000
    await fill(new Date(hourOf(DAY, 14).getTime() + minutes))
    const { now, before } = await compared(DAY)
    expect([now.to, before.to]).toEqual([
      new Date(hourOf(DAY, 14).getTime() + minutes).toISOString(),
      new Date(hourOf('2026-03-09', 14).getTime() + minutes).toISOString(),
    ])
    // What is stored of the hours that run is not counted by the minute: nothing moved in them.
    expect([now.figures.spent, before.figures.spent]).toEqual([140, 126])
  })

  test('is not known where the portal was not there for all of it, nor for days that have not begun', async () => {
    await fill(hourOf(DAY, 14), hourOf('2026-03-09', 1))
    expect(await compared(DAY)).toEqual({ now: { ...NONE, figures: expect.any(Object) }, before: null })
    expect(await compared('2026-03-20')).toBeNull()
    await clear()
    expect(await compared(DAY)).toBeNull()
  })

  test('of several days has no number of active players, which would be counted again each time', async () => {
    await fill(hourOf('2026-03-11', 3))
    const { now } = await compared('2026-03-09', DAY)
    expect([now.figures.active_players, now.figures.spent]).toEqual([null, 456])
  })

  test('is read through an index', async () => {
    const planner = await openPlanner(portal)
    try {
      await planner.owner.query(AS_IF_LARGE)
      const days = { from: hourOf('2026-03-09', 0), to: hourOf(DAY, 0) }
      const { nodes } = await planner.plansOf(async () => {
        await sumSpan(planner.db, days)
        await countActive(planner.db, days)
        await findFirstHour(planner.db)
      })
      expect(readWhole(nodes, /^statistics_/)).toEqual([])
    } finally {
      await planner.close()
    }
  })
})
