import * as fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RechargeOrder } from '#contract/recharge.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aNotification, anOrder, balanceOf, deliver, openAccounts, orderNow } from '#tests/support/bank.ts'
import { failedWork, poison } from '#tests/support/poisoned-row.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import {
  endOrder,
  promotionNow,
  runningPromotion,
  stopPromotions,
  takeBackAll,
} from '#tests/support/promotions.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

// What orders hold of a promotion before anything is paid, and what the first recharge of a player is.

const portal = useTestApp()
beforeAll(() => openAccounts(portal))
let player: TestPlayer
beforeEach(async () => {
  player = await aPlayer(portal, { isActivated: true })
})
afterEach(async () => {
  await stopPromotions(portal)
  await expectReconciled(portal)
})

const pay = async (
  { code: content, account_number: accountNumber }: RechargeOrder,
  change: Record<string, unknown> = {},
) => {
  const { status } = await deliver(portal, aNotification({ content, accountNumber, ...change }))
  expect(status).toBe(200)
}
const cancel = ({ code }: RechargeOrder, of: TestPlayer) =>
  portal.call('POST', `/api/recharge/orders/${code}/cancel`, { token: of.token })

/** A notice of now about money that was booked so many minutes ago. */
const bookedAgo = (minutes: number) => ({
  transactionDate: new Date(Date.now() - minutes * 60_000 + 7 * 3_600_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' '),
})

describe('orders that nobody pays', () => {
  test('of new accounts hold nothing: who pays is given the promotion all the same', async () => {
    const promotion = await runningPromotion(portal, {
      funds: 100_000,
      capTotal: 100_000,
      capPerPlayer: 100_000,
    })
    const strangers = await Promise.all(Array.from({ length: 4 }, () => aPlayer(portal)))
    for (const stranger of strangers)
      for (let count = 0; count < 3; count += 1) {
        const { bonus } = await anOrder(portal, stranger)
        expect(bonus).toMatchObject({ amount: 10_000, condition: expect.stringContaining('ngân sách') })
      }
    expect(await promotionNow(portal, promotion)).toEqual({ given: 0, left: 100_000, held: 0 })
    const order = await anOrder(portal, player)
    expect(order.bonus).toMatchObject({ amount: 10_000, condition: null })
    await pay(order)
    expect(await balanceOf(portal, player)).toBe(60_000)
  })

  test('of accounts that are activated hold half of what is left together, and one account a tenth', async () => {
    const promotion = await runningPromotion(portal, {
      funds: 100_000,
      capTotal: 100_000,
      capPerPlayer: 100_000,
    })
    const held: boolean[][] = []
    for (let count = 0; count < 7; count += 1) {
      const one = await aPlayer(portal, { isActivated: true })
      const orders = [await anOrder(portal, one), await anOrder(portal, one)]
      held.push(orders.map(({ bonus }) => bonus?.condition === null))
    }
    expect(held).toEqual([...Array.from({ length: 5 }, () => [true, false]), [false, false], [false, false]])
    expect(await promotionNow(portal, promotion)).toMatchObject({ held: 50_000, left: 50_000 })
    const stranger = await aPlayer(portal)
    await pay(await anOrder(portal, stranger))
    expect(await balanceOf(portal, stranger)).toBe(60_000)
  })

  test('hold half of a budget together, however many promotions draw on it', async () => {
    const { budgetId } = await runningPromotion(portal, {
      funds: 100_000,
      capTotal: 100_000,
      capPerPlayer: 100_000,
      channel: 2,
    })
    const other = await runningPromotion(portal, {
      budgetId,
      capTotal: 100_000,
      capPerPlayer: 100_000,
      channel: 3,
    })
    for (let count = 0; count < 5; count += 1)
      await anOrder(portal, await aPlayer(portal, { isActivated: true }), { channel: 2 })
    // Small enough for half, and for a tenth, of the rest.
    const order = await anOrder(portal, player, { channel: 3, amount: 20_000 })
    expect(order.bonus).toMatchObject({ amount: 4_000, condition: expect.stringContaining('ngân sách') })
    expect(await promotionNow(portal, other)).toMatchObject({ held: 0, left: 50_000 })
  })

  test('give back what they hold when they end, not hours later', async () => {
    const promotion = await runningPromotion(portal)
    const order = await anOrder(portal, player)
    expect(await promotionNow(portal, promotion)).toMatchObject({ held: 10_000 })
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toMatchObject({ held: 10_000 })
    await endOrder(portal, order, { minutes: 31 })
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toEqual({ given: 0, left: 10_000_000, held: 0 })
    const another = await anOrder(portal, player)
    await cancel(another, player)
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toEqual({ given: 0, left: 10_000_000, held: 0 })
  })

  test('give back what they hold one by one, so that one which fails leaves the others', async () => {
    const promotion = await runningPromotion(portal)
    const [poisoned, other] = [await anOrder(portal, player), await anOrder(portal, player)]
    for (const order of [poisoned, other]) await endOrder(portal, order, { minutes: 31 })
    const { id } = await portal.db
      .selectFrom('order_bonus')
      .innerJoin('payment_order', 'payment_order.id', 'order_bonus.order_id')
      .select('order_bonus.id')
      .where('payment_order.code', '=', poisoned.code)
      .executeTakeFirstOrThrow()
    const { cure } = await poison(portal, { table: 'order_bonus', id })
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toMatchObject({ held: 10_000 })
    expect(await failedWork(portal)).toMatchObject([{ job: 'bonuses', subject: id }])
    await cure()
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toEqual({ given: 0, left: 10_000_000, held: 0 })
    expect(await failedWork(portal)).toEqual([])
  })
})

describe('who paid before', () => {
  test('is held a promise without being activated', async () => {
    const payer = await aPlayer(portal)
    await pay(await anOrder(portal, payer))
    const promotion = await runningPromotion(portal)
    expect((await anOrder(portal, payer)).bonus).toMatchObject({ condition: null })
    expect(await promotionNow(portal, promotion)).toMatchObject({ held: 10_000 })
  })

  test('keeps the promise when the money was booked in time and its notice comes late', async () => {
    const promotion = await runningPromotion(portal)
    const order = await anOrder(portal, player)
    await endOrder(portal, order, { minutes: 45 })
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toMatchObject({ held: 0 })
    await stopPromotions(portal)
    await pay(order, bookedAgo(30))
    expect(await balanceOf(portal, player)).toBe(60_000)
    expect((await orderNow(portal, player, order.code)).bonus).toMatchObject({
      amount: 10_000,
      is_given: true,
    })
    await takeBackAll(portal)
    expect(await promotionNow(portal, promotion)).toEqual({ given: 10_000, left: 9_990_000, held: 0 })
  })
})

describe('what is only promised under a condition', () => {
  test('is given with the money while the budget holds it in full, and else not at all', async () => {
    const promotion = await runningPromotion(portal, { funds: 15_000, capTotal: 1_000_000 })
    const [first, second] = [await aPlayer(portal), await aPlayer(portal)]
    const orders = [await anOrder(portal, first), await anOrder(portal, second)] as const
    await pay(orders[0])
    await pay(orders[1])
    expect([await balanceOf(portal, first), await balanceOf(portal, second)]).toEqual([60_000, 50_000])
    expect((await orderNow(portal, second, orders[1].code)).bonus).toBeNull()
    expect(await promotionNow(portal, promotion)).toEqual({ given: 10_000, left: 5_000, held: 0 })
  })

  test('is given up to what the player has left of the cap when the money is there', async () => {
    await runningPromotion(portal, { capPerPlayer: 15_000 })
    const stranger = await aPlayer(portal)
    const orders = [await anOrder(portal, stranger), await anOrder(portal, stranger)] as const
    await pay(orders[0])
    await pay(orders[1])
    expect(await balanceOf(portal, stranger)).toBe(115_000)
  })

  test('is nothing when the order was cancelled or paid too late', async () => {
    await runningPromotion(portal)
    const stranger = await aPlayer(portal)
    const order = await anOrder(portal, stranger)
    expect((await cancel(order, stranger)).body.bonus).toBeNull()
    await pay(order)
    const late = await anOrder(portal, stranger)
    await endOrder(portal, late, { minutes: 45 })
    await pay(late)
    // Money for a cancelled order is decided by a person.
    expect(await balanceOf(portal, stranger)).toBe(50_000)
  })
})

describe('the first recharge of a player', () => {
  test('is one, however many promotions are for it and however many orders were promised', async () => {
    for (let count = 0; count < 3; count += 1)
      await runningPromotion(portal, {
        isFirstRecharge: true,
        channel: count === 0 ? null : count + 1,
        percent: 20 + count,
      })
    const stranger = await aPlayer(portal)
    const orders = [
      await anOrder(portal, stranger),
      await anOrder(portal, stranger, { channel: 2 }),
      await anOrder(portal, stranger, { channel: 3 }),
    ]
    for (const { bonus } of orders) expect(bonus?.condition).toContain('lần nạp đầu tiên')
    await Promise.all(orders.map((order) => pay(order)))
    const given = await Promise.all(orders.map(({ code }) => orderNow(portal, stranger, code)))
    expect(given.filter(({ credited }) => credited === 50_000)).toHaveLength(3)
    const bonuses = given.flatMap(({ bonus }) => (bonus === null ? [] : [bonus]))
    expect(bonuses).toMatchObject([{ is_given: true }])
    expect(await balanceOf(portal, stranger)).toBe(150_000 + (bonuses[0]?.amount ?? 0))
  })

  test('is the one that is paid first, not the one that was ordered first', async () => {
    await runningPromotion(portal, {
      isFirstRecharge: true,
      kind: 'fixed',
      amount: 10_000,
      capPerPlayer: 10_000,
    })
    const stranger = await aPlayer(portal)
    const [one, two] = [await anOrder(portal, stranger), await anOrder(portal, stranger)] as const
    await pay(two)
    expect(await balanceOf(portal, stranger)).toBe(60_000)
    await pay(one)
    expect(await balanceOf(portal, stranger)).toBe(110_000)
  })

  test('is not the second recharge although its order was placed before the first was paid', async () => {
    const stranger = await aPlayer(portal)
    await runningPromotion(portal, { isFirstRecharge: true, minimum: 40_000 })
    const small = await anOrder(portal, stranger, { amount: 20_000 })
    const large = await anOrder(portal, stranger)
    expect(small.bonus).toBeNull()
    await pay(small, { transferAmount: 20_000 })
    await pay(large)
    expect(await balanceOf(portal, stranger)).toBe(70_000)
  })
})

test(
  'over random orders, payments, expiries and cancellations nothing is above its ceiling, and nothing stays held',
  { timeout: 600_000 },
  async () => {
    const step = fc.record({
      who: fc.nat(5),
      act: fc.constantFrom('order', 'order', 'order', 'pay', 'pay', 'pay late', 'cancel', 'expire', 'work'),
      amount: fc.constantFrom(20_000, 50_000, 123_456),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          funds: fc.constantFrom(30_000, 100_000, 400_000),
          steps: fc.array(step, { minLength: 5, maxLength: 40 }),
        }),
        async ({ funds, steps }) => {
          await stopPromotions(portal)
          const promotion = await runningPromotion(portal, {
            funds,
            capTotal: funds,
            capPerPlayer: Math.min(funds, 60_000),
          })
          const players = await Promise.all(
            Array.from({ length: 6 }, (_, index) => aPlayer(portal, { isActivated: index % 2 === 0 })),
          )
          const open: { order: RechargeOrder; of: TestPlayer }[] = []
          const paid: { order: RechargeOrder; of: TestPlayer }[] = []
          /** TCoin that an order held above the ceiling. */
          const over: number[] = []
          for (const { who, act, amount } of steps) {
            const of = players[who] as TestPlayer
            const mine = open.findIndex((one) => one.of === of)
            if (act === 'order') {
              const before = await promotionNow(portal, promotion)
              const answer = await portal.call('POST', '/api/recharge/orders', {
                token: of.token,
                body: { channel: 2, amount },
              })
              if (answer.status !== 201) continue
              open.push({ order: answer.body as RechargeOrder, of })
              const after = await promotionNow(portal, promotion)
              const mayBeHeld = Math.max(before.held, (before.left + before.held) / 2)
              over.push(Math.max(0, after.held - mayBeHeld))
            } else if (act === 'work') await takeBackAll(portal)
            else if (mine >= 0) {
              const [one] = open.splice(mine, 1) as [{ order: RechargeOrder; of: TestPlayer }]
              if (act === 'cancel') await cancel(one.order, of)
              else if (act === 'expire') await endOrder(portal, one.order, { minutes: 31 })
              else {
                if (act === 'pay late') await endOrder(portal, one.order, { minutes: 45 })
                await pay(one.order, {
                  transferAmount: one.order.amount,
                  ...(act === 'pay late' && bookedAgo(30)),
                })
                paid.push(one)
              }
            }
            const now = await promotionNow(portal, promotion)
            expect(now.given).toBeLessThanOrEqual(funds)
            expect(now.given + now.left).toBe(funds)
          }
          expect(over.filter((coins) => coins > 0)).toEqual([])
          for (const { order, of } of open) await cancel(order, of)
          await takeBackAll(portal)
          const end = await promotionNow(portal, promotion)
          expect(end.held).toBe(0)
          const given = await Promise.all(paid.map(({ order, of }) => orderNow(portal, of, order.code)))
          expect(given.reduce((sum, { bonus }) => sum + (bonus?.amount ?? 0), 0)).toBe(end.given)
        },
      ),
      { numRuns: hasAllCases ? 60 : 8 },
    )
  },
)
