import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RechargeOrder } from '#contract/recharge.ts'
import { findTrader } from '#server/modules/traders/index.ts'
import { useCashDesk } from '#tests/support/cash-desk.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { BOUGHT, KEPT, LuongOrders } from '#tests/support/luong-orders.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { creditPlayer } from '#tests/support/players.ts'
import { makeDue } from '#tests/support/purchases.ts'
import { buyDue, claimOpen, type BuyingDeps } from './buying.service.ts'

const desk = useCashDesk()
const orders = new LuongOrders(desk)
beforeEach(() => orders.begin())
afterEach(() => expectReconciled(desk.portal))

describe('a credit that is reversed', () => {
  const takeBack = async (original: string) => {
    const outgoing = await desk.arrives({ transferType: 'out', content: 'HOAN TIEN', transferAmount: 46_000 })
    return desk.done(outgoing, 'link-reversal', { original_id: original })
  }

  test('before anything was bought leaves neither TCoin nor goods', async () => {
    const order = await orders.anIntent()
    await takeBack(await orders.pay(order))
    expect((await orders.now(order)).purchase).toMatchObject({ state: 'not-bought', reason: 'cancelled' })
    await orders.hasten()
    expect(await orders.buyAll()).toBe(0)
    expect(await orders.everything()).toEqual({ wallet: 4_000, spent: 0, luong: 0 })
  })

  test('after it was bought leaves the goods and a debt', async () => {
    const order = await orders.anIntent()
    const original = await orders.pay(order)
    await orders.buyAll()
    expect((await takeBack(original)).lent).toBe(46_000)
    expect((await orders.now(order)).purchase).toMatchObject({ state: 'bought' })
    expect(await orders.everything()).toEqual(BOUGHT)
    expect((await findTrader(desk.portal.db, orders.player.id))?.debt).toBe(46_000)
  })

  test('at the same moment as the purchase ends as one of the two', async () => {
    const order = await orders.anIntent()
    const original = await orders.pay(order)
    await Promise.all([takeBack(original), orders.buyAll()])
    const { debt } = (await findTrader(desk.portal.db, orders.player.id))!
    const { purchase } = await orders.now(order)
    const all = await orders.everything()
    const ends = {
      bought: [BOUGHT, 46_000],
      'not-bought': [{ wallet: 4_000, spent: 0, luong: 0 }, 0],
      waiting: null,
    }
    expect([all, debt]).toEqual(ends[purchase?.state ?? 'waiting'])
  })
})

describe('a worker killed', () => {
  const dyingAt = (point: string): Pick<BuyingDeps, 'pauseBuying'> => ({
    pauseBuying: async (at) => {
      if (at === point) throw new Error('killed')
    },
  })

  test.each(['claimed', 'bought'])(
    'when a purchase is %s leaves the TCoin, and the next one buys once',
    async (point) => {
      const order = await orders.anIntent()
      await orders.pay(order)
      await expect(orders.buyAll(dyingAt(point))).rejects.toThrow('killed')
      expect(await orders.everything()).toEqual(KEPT)
      expect(await orders.buyAll()).toBe(0)
      await orders.hasten()
      expect(await orders.buyAll()).toBe(1)
      expect(await orders.everything()).toEqual(BOUGHT)
    },
  )

  test('before a refusal is written leaves it to the next one, which tells it once', async () => {
    const order = await orders.anIntent()
    await orders.pay(order, 40_000)
    await expect(orders.buyAll(dyingAt('refused'))).rejects.toThrow('killed')
    expect((await orders.now(order)).purchase).toMatchObject({ state: 'waiting' })
    await orders.hasten()
    await orders.buyAll()
    expect((await orders.now(order)).purchase).toMatchObject({ state: 'not-bought' })
    expect(await noticesOf(desk.portal, orders.player)).toHaveLength(2)
  })

  test('never makes it two: 16 workers at once buy once', async () => {
    const order = await orders.anIntent()
    await creditPlayer(desk.portal, orders.player, 1_000_000)
    await orders.pay(order)
    const [due] = await claimOpen(desk.portal.deps, 1)
    await Promise.all(Array.from({ length: 16 }, () => buyDue(desk.portal.deps, due!)))
    expect(await orders.everything()).toEqual({ ...BOUGHT, wallet: 1_000_000 })
  })
})

test('whatever arrives in whatever order, each TCoin is in the wallet or was paid for luong', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('place' as const), amount: fc.constantFrom(10_000, 20_000, 50_000) }),
    fc.record({ kind: fc.constant('pay' as const), change: fc.constantFrom(0, 0, -3_000, 7_000) }),
    fc.constant({ kind: 'buy' as const }),
    fc.constant({ kind: 'die' as const }),
    fc.constant({ kind: 'cancel' as const }),
    fc.constant({ kind: 'credit' as const }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      await orders.begin()
      let paid = 4_000
      const open: RechargeOrder[] = []
      for (const one of steps) {
        if (one.kind === 'place') {
          const { status, body } = await orders.place(
            {},
            { expected_amount: one.amount, receive: one.amount * 0.33 },
          )
          if (status === 201) open.push(body as RechargeOrder)
        } else if (one.kind === 'credit') {
          await creditPlayer(desk.portal, orders.player, 5_000)
          paid += 5_000
        } else if (one.kind === 'buy') await orders.buyAll()
        else if (one.kind === 'die')
          await orders
            .buyAll({
              pauseBuying: () => Promise.reject(new Error('killed')),
            })
            .catch(() => {})
        else {
          const order = open.shift()
          if (order === undefined) continue
          if (one.kind === 'cancel')
            await desk.portal.call('POST', `/api/recharge/orders/${order.code}/cancel`, {
              token: orders.player.token,
            })
          else {
            const vnd = order.amount + one.change
            await orders.pay(order, vnd)
            // Less than the smallest recharge is not credited by itself.
            if (vnd >= 10_000) paid += vnd
          }
        }
      }
      await orders.hasten()
      await orders.buyAll()
      await makeDue(desk.portal)
      const { wallet, spent, luong } = await orders.everything()
      expect([wallet + spent, luong]).toEqual([paid, spent * 0.33])
    }),
    { numRuns: 12 },
  )
})
