import * as fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { grantFor, promiseFor } from '#contract/promotion-rules.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { findTrader } from '#server/modules/traders/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aNotification, anOrder, balanceOf, deliver, openAccounts, orderNow } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { oneWaits } from '#tests/support/locks.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import {
  fundedBudget,
  promotionNow,
  runningPromotion,
  stopPromotions,
  takeBackAll,
} from '#tests/support/promotions.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const portal = useTestApp()
beforeAll(() => openAccounts(portal))
let player: TestPlayer
beforeEach(async () => {
  // For whom something is held before it is paid: unpaid.db.test.ts has the others.
  player = await aPlayer(portal, { isActivated: true })
})
afterEach(async () => {
  await stopPromotions(portal)
  await expectReconciled(portal)
})

const pay = async ({ code }: RechargeOrder, change: Record<string, unknown> = {}) => {
  const { status } = await deliver(portal, aNotification({ content: code, ...change }))
  expect(status).toBe(200)
}
const now = ({ code }: RechargeOrder) => orderNow(portal, player, code)
const channels = async (of = player) =>
  (await portal.call('GET', '/api/recharge/channels', { token: of.token })).body
const shift = (order: RechargeOrder, hours: number) =>
  asOwner(
    portal,
    `WITH moved AS (UPDATE payment_order SET created_at = created_at - make_interval(secs => $2),
        expires_at = expires_at - make_interval(secs => $2) WHERE code = $1 RETURNING id)
     UPDATE order_bonus SET hold_until = hold_until - make_interval(secs => $2) FROM moved WHERE order_id = moved.id`,
    [order.code, hours * 3_600],
  )

describe('an order', () => {
  test('is promised what its sentence says, held for it at once, and given it with the money', async () => {
    const promotion = await runningPromotion(portal)
    expect((await channels())[0].promotion).toMatchObject({
      title: promotion.title,
      sentence: expect.stringContaining('Tặng thêm 20% TCoin khi nạp, tối đa 1,000,000 TCoin mỗi người'),
    })
    const order = await anOrder(portal, player)
    expect(order.bonus).toEqual({
      title: promotion.title,
      amount: 10_000,
      is_given: false,
      condition: null,
    })
    expect(await promotionNow(portal, promotion)).toEqual({ given: 10_000, left: 9_990_000, held: 10_000 })
    const email = anEmail()
    await giveVerifiedEmail(portal, player.id, email)
    await pay(order)
    expect(await balanceOf(portal, player)).toBe(60_000)
    expect((await now(order)).bonus).toEqual({
      title: promotion.title,
      amount: 10_000,
      is_given: true,
      condition: null,
    })
    const [mail] = await lettersTo(portal, email)
    expect(mail?.paragraphs).toContain(`Thưởng nạp “${promotion.title}”: 10,000 TCoin`)
    expect(mail?.paragraphs).toContain('Số dư mới: 60,000 TCoin')
    expect(await noticesOf(portal, player)).toMatchObject([
      {
        title: 'Đã cộng 60,000 TCoin',
        text: `Đơn nạp ${order.code} đã được thanh toán. 10,000 TCoin trong đó là thưởng.`,
      },
    ])
    const statement = await portal.call('GET', '/api/user/transactions?filter_type=bonus', {
      token: player.token,
    })
    expect(statement.body.data).toMatchObject([
      {
        type: 'bonus',
        amount: 10_000,
        description: `Thưởng nạp: ${promotion.title}`,
        reference: order.code,
      },
    ])
  })

  test('keeps its promise although the promotion was stopped and its budget emptied', async () => {
    const promotion = await runningPromotion(portal, { funds: 100_000, capTotal: 1_000_000 })
    const order = await anOrder(portal, player)
    for (let count = 0; count < 9; count += 1) await pay(await anOrder(portal, await aPlayer(portal)))
    await stopPromotions(portal)
    expect(await promotionNow(portal, promotion)).toMatchObject({ left: 0, held: 10_000 })
    await pay(order)
    expect(await balanceOf(portal, player)).toBe(60_000)
  })

  test('of less than the minimum, by another channel, or outside the time is promised nothing', async () => {
    await runningPromotion(portal, { minimum: 50_001 })
    await runningPromotion(portal, { channel: 3 })
    await runningPromotion(portal, { startsIn: 3_600, endsIn: 7_200 })
    await runningPromotion(portal, { startsIn: -7_200, endsIn: -1 })
    expect((await anOrder(portal, player)).bonus).toBeNull()
    expect((await anOrder(portal, player, { channel: 3 })).bonus).toMatchObject({ amount: 10_000 })
  })

  test('is promised the most of several, of equal ones the oldest', async () => {
    const first = await runningPromotion(portal, { kind: 'fixed', amount: 7_000 })
    await runningPromotion(portal, { kind: 'fixed', amount: 7_000 })
    expect((await anOrder(portal, player, { amount: 20_000 })).bonus?.title).toBe(first.title)
    const most = await runningPromotion(portal)
    expect((await anOrder(portal, player)).bonus).toMatchObject({ title: most.title, amount: 10_000 })
  })

  test('is promised what the player has left of the cap', async () => {
    await runningPromotion(portal, { capPerPlayer: 15_000 })
    await pay(await anOrder(portal, player))
    expect((await channels())[0].promotions[0].rest).toMatchObject({ player: 5_000 })
    expect((await anOrder(portal, player)).bonus).toMatchObject({ amount: 5_000 })
    expect((await anOrder(portal, player)).bonus).toBeNull()
    expect((await channels())[0].promotion).toBeNull()
  })

  test('is promised nothing that the budget, or the cap of all, does not hold in full', async () => {
    await runningPromotion(portal, { funds: 9_999 })
    await runningPromotion(portal, { capTotal: 9_999, capPerPlayer: 9_999, kind: 'fixed', amount: 9_000 })
    const other = await aPlayer(portal)
    const order = await anOrder(portal, other)
    expect(order.bonus).toMatchObject({ amount: 9_000 })
    await pay(order)
    expect(await balanceOf(portal, other)).toBe(59_000)
    expect((await anOrder(portal, player)).bonus).toBeNull()
  })

  test('of the first recharge only is promised it until money was credited', async () => {
    await runningPromotion(portal, { isFirstRecharge: true })
    const order = await anOrder(portal, player)
    expect(order.bonus).toMatchObject({ amount: 10_000 })
    const cancelled = `/api/recharge/orders/${order.code}/cancel`
    expect((await portal.call('POST', cancelled, { token: player.token })).body.bonus).toBeNull()
    expect((await channels())[0].promotion).not.toBeNull()
    const another = await anOrder(portal, player)
    expect(another.bonus).toMatchObject({ amount: 10_000 })
    await pay(another)
    expect((await anOrder(portal, player)).bonus).toBeNull()
    expect((await channels())[0].promotion).toBeNull()
  })

  test('of the first recharge is not promised to who recharged before it', async () => {
    await pay(await anOrder(portal, player))
    await runningPromotion(portal, { isFirstRecharge: true })
    expect((await anOrder(portal, player)).bonus).toBeNull()
    expect((await anOrder(portal, await aPlayer(portal))).bonus).toMatchObject({ amount: 10_000 })
  })
})

describe('money', () => {
  test.for([
    { what: 'less than was ordered', amount: 30_000, coins: 36_000 },
    { what: 'more than was ordered', amount: 80_000, coins: 90_000 },
    { what: 'less than the minimum', amount: 15_000, coins: 15_000 },
  ])('of $what brings the terms on it, and never more than the promise', async ({ amount, coins }) => {
    const promotion = await runningPromotion(portal, { minimum: 20_000 })
    const order = await anOrder(portal, player)
    await pay(order, { transferAmount: amount })
    expect(await balanceOf(portal, player)).toBe(coins)
    await takeBackAll(portal)
    const given = coins - amount
    expect(await promotionNow(portal, promotion)).toEqual({ given, left: 10_000_000 - given, held: 0 })
    expect((await now(order)).bonus).toEqual(
      given === 0 ? null : { title: promotion.title, amount: given, is_given: true, condition: null },
    )
  })

  test('that the bank booked in time brings the bonus although the order has ended', async () => {
    await runningPromotion(portal)
    const order = await anOrder(portal, player)
    await shift(order, 1)
    await takeBackAll(portal)
    const booked = new Date(Date.now() - 45 * 60_000 + 7 * 3_600_000).toISOString()
    await pay(order, { transactionDate: booked.slice(0, 19).replace('T', ' ') })
    expect(await balanceOf(portal, player)).toBe(60_000)
  })

  test('that was paid after the end of the order brings no bonus', async () => {
    const promotion = await runningPromotion(portal)
    const order = await anOrder(portal, player)
    await shift(order, 1)
    await pay(order)
    expect(await balanceOf(portal, player)).toBe(50_000)
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toEqual({ given: 0, left: 10_000_000, held: 0 })
  })

  test('that never comes gives the promise back to the budget, and to the player’s cap', async () => {
    const promotion = await runningPromotion(portal, { capPerPlayer: 10_000 })
    const order = await anOrder(portal, player)
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toMatchObject({ held: 10_000 })
    await shift(order, 3)
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toEqual({ given: 0, left: 10_000_000, held: 0 })
    expect((await anOrder(portal, player)).bonus).toMatchObject({ amount: 10_000 })
  })

  test('that is being checked keeps the promise as long as that takes', async () => {
    const promotion = await runningPromotion(portal)
    const order = await anOrder(portal, player)
    await asOwner(portal, `UPDATE payment_order SET status = 'review' WHERE code = $1`, [order.code])
    await shift(order, 30)
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toMatchObject({ held: 10_000 })
    await asOwner(portal, `UPDATE payment_order SET status = 'cancelled' WHERE code = $1`, [order.code])
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toMatchObject({ held: 0 })
  })

  test('pays debts, and so does its bonus', async () => {
    await runningPromotion(portal)
    await asOwner(
      portal,
      `SELECT ledger_post('debt', ledger_open_account('receivable', id), wallet_account_id, 55000, 'user', id::text,
          NULL, NULL, NULL, NULL) FROM users WHERE id = $1`,
      [player.id],
    )
    await asOwner(
      portal,
      `SELECT ledger_post('adjustment', wallet_account_id, 9000000000000001, 55000, 'user', id::text, NULL, NULL, NULL, NULL)
         FROM users WHERE id = $1`,
      [player.id],
    )
    await pay(await anOrder(portal, player))
    expect(await findTrader(portal.db, player.id)).toMatchObject({ balance: 5_000, debt: 0 })
  })
})

describe('at the same moment', () => {
  test('of a hundred orders of as many players a cap and a budget hold exactly what they hold', async () => {
    const promotion = await runningPromotion(portal, {
      funds: 405_000,
      capTotal: 300_000,
      capPerPlayer: 10_000,
    })
    const other = await runningPromotion(portal, {
      budgetId: promotion.budgetId,
      capTotal: 300_000,
      capPerPlayer: 10_000,
    })
    const orders: RechargeOrder[] = []
    // Each waits for the one before it: all hundred at once would be longer than a call waits on a busy machine.
    while (orders.length < 100) {
      const players = await Promise.all(
        Array.from({ length: 20 }, (_, index) => aPlayer(portal, { isActivated: index % 2 === 0 })),
      )
      orders.push(...(await Promise.all(players.map((one) => anOrder(portal, one)))))
    }
    const held = orders.filter(({ bonus }) => bonus?.condition === null)
    expect(held).toHaveLength(20)
    expect(await promotionNow(portal, promotion)).toMatchObject({ left: 205_000 })
    // Those for whom nothing is held come first.
    await Promise.all(orders.filter((order) => !held.includes(order)).map((order) => pay(order)))
    // All of them were promised by the older promotion, whose cap they use up.
    expect(await promotionNow(portal, promotion)).toMatchObject({ given: 300_000, left: 55_000 })
    await Promise.all(held.map((order) => pay(order)))
    const [one, two] = [await promotionNow(portal, promotion), await promotionNow(portal, other)]
    expect([one.given, two.given]).toEqual([300_000, 50_000])
    expect(one.held + two.held).toBe(0)
  })

  test('an order waits for whoever else draws on the budget', async () => {
    const { budgetId } = await runningPromotion(portal)
    const { ordered } = await portal.db.transaction().execute(async (tx) => {
      await tx.selectFrom('budget').select('id').where('id', '=', budgetId).forNoKeyUpdate().execute()
      const waiting = anOrder(portal, player)
      await oneWaits(portal.db)
      return { ordered: waiting }
    })
    expect((await ordered).bonus).toMatchObject({ amount: 10_000 })
  })

  test('a notice, a cancellation and the worker leave one outcome', async () => {
    const promotion = await runningPromotion(portal)
    for (let round = 0; round < 8; round += 1) {
      const someone = await aPlayer(portal)
      const order = await anOrder(portal, someone)
      await Promise.all([
        pay(order),
        portal.call('POST', `/api/recharge/orders/${order.code}/cancel`, { token: someone.token }),
        takeBackAll(portal),
      ])
      await takeBackAll(portal)
      expect([0, 60_000]).toContain(await balanceOf(portal, someone))
    }
    expect((await promotionNow(portal, promotion)).held).toBe(0)
  })
})

test(
  'over random promotions, orders and payments each player gets what the sentence says of what arrived',
  { timeout: 600_000 },
  async () => {
    const terms = fc.record({
      percent: fc.integer({ min: 1, max: 100 }),
      minimum: fc.constantFrom(0, 20_000, 50_000),
      capPerPlayer: fc.constantFrom(3_000, 12_345, 1_000_000),
      funds: fc.constantFrom(0, 9_999, 10_000_000),
      asked: fc.constantFrom(20_000, 50_000, 123_456),
      arrived: fc.constantFrom(null, 10_000, 20_000, 50_000, 200_000),
      /** Where the moment of the order lies in the promotion’s window, and of the payment in the order’s. */
      window: fc.constantFrom('before', 'within', 'after'),
      isLate: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(terms, async (one) => {
        const { percent, minimum, capPerPlayer, funds, asked, window, isLate } = one
        const arrived = one.arrived ?? asked
        const someone = await aPlayer(portal)
        const budgetId = await fundedBudget(portal, funds)
        const [startsIn, endsIn] = { before: [600, 1_200], within: [-1, 600], after: [-600, -1] }[window] as [
          number,
          number,
        ]
        const capTotal = 10_000_000
        await runningPromotion(portal, {
          budgetId,
          percent,
          minimum,
          capPerPlayer,
          capTotal,
          startsIn,
          endsIn,
        })
        const order = await anOrder(portal, someone, { amount: asked })
        const rule = { kind: 'percent', percent, amount: null, steps: null, minimum } as const
        const rest = { player: capPerPlayer, total: Math.min(capTotal, funds) }
        const promised = window === 'within' ? promiseFor(rule, { amountVnd: asked, rate: 1, rest }) : 0
        expect(order.bonus?.amount ?? 0).toBe(promised)
        if (isLate) await shift(order, 1)
        await pay(order, { transferAmount: arrived })
        const granted = isLate ? 0 : grantFor(rule, { promised, amountVnd: arrived, rate: 1 })
        expect(await balanceOf(portal, someone)).toBe(arrived + granted)
        await stopPromotions(portal)
        await takeBackAll(portal)
      }),
      { numRuns: hasAllCases ? 1_000 : 15 },
    )
  },
)
