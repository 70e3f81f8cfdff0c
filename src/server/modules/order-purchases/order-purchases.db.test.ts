import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RechargeOrder } from '#contract/recharge.ts'
import { banPlayer } from '#server/modules/traders/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ageOrder, anOrder } from '#tests/support/bank.ts'
import { useCashDesk } from '#tests/support/cash-desk.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { BOUGHT, KEPT, LuongOrders } from '#tests/support/luong-orders.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { aPlayer, creditPlayer } from '#tests/support/players.ts'
import { runningPromotion, stopPromotions } from '#tests/support/promotions.ts'
import { setSetting } from '#tests/support/settings.ts'
import { endUnpaid } from './buying.service.ts'

const desk = useCashDesk()
const orders = new LuongOrders(desk)
beforeAll(() => asOwner(desk.portal, 'CREATE TABLE moved_activation (LIKE activation)'))
beforeEach(() => orders.begin())
afterEach(async () => {
  await setSetting(desk.portal, 'exchange_rate', '30')
  await setSetting(desk.portal, 'exchange_amounts', '[10000,20000,50000,100000,200000,500000]')
  await expectReconciled(desk.portal)
})

const asOperatorSees = async ({ code }: RechargeOrder) =>
  (
    await desk.portal.call('GET', `/api/operator/recharge-orders/${code}`, {
      token: desk.cashier.token,
    })
  ).body.purchase

describe('an order that buys luong', () => {
  test('is for what the wallet lacks, and the luong goes out by itself when it is credited, told once', async () => {
    const email = anEmail()
    await giveVerifiedEmail(desk.portal, orders.player.id, email)
    const order = await orders.anIntent()
    expect(order).toMatchObject({
      amount: 46_000,
      purchase: {
        kind: 'exchange',
        state: 'waiting',
        character_id: orders.character,
        receive: 16_500,
        amount: 50_000,
        delivery: null,
      },
    })
    expect((await orders.now(order)).purchase).toEqual(order.purchase)
    expect(await orders.buyAll()).toBe(0)
    await orders.pay(order)
    expect((await orders.now(order)).purchase).toMatchObject({ state: 'waiting' })
    expect(await orders.buyAll()).toBe(1)
    const bought = (await orders.now(order)).purchase
    expect(bought).toMatchObject({ state: 'bought', delivery: { status: 'pending' } })
    expect(await orders.everything()).toEqual(BOUGHT)
    expect(await asOperatorSees(order)).toEqual((await orders.now(order)).purchase)
    expect((await orders.now(order)).purchase?.delivery).toEqual({ ...bought?.delivery, status: 'delivered' })
    await orders.hasten()
    expect(await orders.buyAll()).toBe(0)
    expect((await noticesOf(desk.portal, orders.player)).map(({ title }) => title)).toEqual([
      'Món đã vào nhân vật',
      'Đã cộng 46,000 TCoin',
    ])
    expect((await lettersTo(desk.portal, email)).map(({ kind }) => kind)).toEqual(['recharge-credited'])
  })

  test('of less than the smallest recharge is raised to it, and the rest stays in the wallet', async () => {
    await creditPlayer(desk.portal, orders.player, 45_000)
    const order = await orders.anIntent()
    expect(order.amount).toBe(10_000)
    await orders.pay(order)
    await orders.buyAll()
    expect(await orders.everything()).toEqual({ ...BOUGHT, wallet: 9_000 })
  })

  test('may be for more, not for less than what is missing', async () => {
    const refused = await orders.place({ amount: 45_999 })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { amount: ['Cần nạp ít nhất 46,000 VND mới đủ để đổi'] },
    ])
    const more = await orders.place({ amount: 60_000 })
    expect(more.body.amount).toBe(60_000)
    await orders.pay(more.body as RechargeOrder)
    await orders.buyAll()
    expect(await orders.everything()).toEqual({ ...BOUGHT, wallet: 14_000 })
  })

  test('is refused for what the exchange refuses, on the field that is wrong', async () => {
    const refusalOf = async (wanted: object) => {
      const { status, body } = await orders.place({}, wanted)
      return [status, body.code, ...Object.keys(body.errors ?? {})]
    }
    expect(await refusalOf({ receive: 16_501 })).toEqual([422, 'PRICE_CHANGED'])
    expect(await refusalOf({ character_id: '999999999' })).toEqual([422, 'CHARACTER_NOT_FOUND'])
    expect(await refusalOf({ expected_amount: 50_001 })).toEqual([
      422,
      'VALIDATION',
      'purchase.expected_amount',
    ])
    expect(await refusalOf({ character_id: '' })).toEqual([422, 'VALIDATION', 'purchase.character_id'])
    expect(await refusalOf({ kind: 'gift' })).toEqual([422, 'VALIDATION', 'purchase.kind'])
  })

  test('is refused to whoever has enough, is not activated, or asks for nothing at all', async () => {
    await creditPlayer(desk.portal, orders.player, 46_000)
    expect(await orders.place()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    const other = await aPlayer(desk.portal)
    expect((await orders.place({}, {}, other)).body.code).toBe('NOT_ACTIVATED')
    const nothing = await desk.portal.call('POST', '/api/recharge/orders', {
      token: orders.player.token,
      body: { channel: 2 },
    })
    expect([nothing.status, Object.keys(nothing.body.errors)]).toEqual([422, ['amount']])
  })

  test('under one key is one order, and another purchase under the same key is refused', async () => {
    const body = (receive: number, expected_amount: number) => ({
      channel: 2,
      purchase: { kind: 'exchange', character_id: orders.character, receive, expected_amount },
    })
    const call = (of: object) =>
      desk.portal.call('POST', '/api/recharge/orders', {
        token: orders.player.token,
        key: 'một đơn',
        body: of,
      })
    const answers = await Promise.all([1, 2, 3].map(() => call(body(16_500, 50_000))))
    expect(new Set(answers.map((answer) => answer.body.code)).size).toBe(1)
    expect((await call(body(3_300, 10_000))).body.code).toBe('KEY_REUSED')
  })

  test('leaves to another order of the player what that one counts on', async () => {
    const first = await orders.anIntent()
    const second = await orders.anIntent({ receive: 6_600, expected_amount: 20_000 })
    expect([first.amount, second.amount]).toEqual([46_000, 20_000])
    await orders.pay(second)
    await orders.buyAll()
    await orders.pay(first)
    await orders.buyAll()
    expect(await orders.everything()).toEqual({ wallet: 0, spent: 70_000, luong: 23_100 })
  })

  test('pays what is owed first, and asks for that too', async () => {
    const order = await anOrder(desk.portal, orders.player)
    const original = await orders.pay(order)
    const friend = await aPlayer(desk.portal)
    await desk.portal.call('POST', '/api/user/transfer', {
      token: orders.player.token,
      body: { payee: friend.username, amount: 54_000 },
    })
    const outgoing = await desk.arrives({ transferType: 'out', content: 'HOAN TIEN' })
    await desk.done(outgoing, 'link-reversal', { original_id: original })
    const intent = await orders.anIntent()
    expect(intent.amount).toBe(100_000)
    await orders.pay(intent)
    await orders.buyAll()
    expect(await orders.everything()).toEqual(BOUGHT)
  })

  test('is bought with a bonus as without one, which stays in the wallet', async () => {
    await runningPromotion(desk.portal)
    const order = await orders.anIntent()
    expect(order.bonus).toMatchObject({ amount: 9_200 })
    await orders.pay(order)
    await orders.buyAll()
    expect(await orders.everything()).toEqual({ ...BOUGHT, wallet: 9_200 })
    await stopPromotions(desk.portal)
  })

  test('that is paid after its time, or with more than it asks for, buys what was chosen', async () => {
    const order = await orders.anIntent()
    await ageOrder(desk.portal, order.code, 1)
    await orders.pay(order, 50_000)
    await orders.buyAll()
    expect(await orders.everything()).toEqual({ ...BOUGHT, wallet: 4_000 })
  })

  test('waits while the exchange is closed for maintenance, and is bought when it opens', async () => {
    const order = await orders.anIntent()
    await orders.pay(order)
    const close = async (exchange: object | null) => {
      const path = '/api/operator/maintenance'
      const { body } = await desk.portal.call('GET', path, { token: desk.owner.token })
      await desk.portal.call('PUT', path, {
        token: desk.owner.token,
        body: { sections: { exchange }, updated_at: body.updated_at, reason: 'Bảo trì' },
      })
    }
    await close({ message: 'Nâng cấp', until: null })
    expect(await orders.buyAll()).toBe(0)
    await close(null)
    expect(await orders.buyAll()).toBe(1)
    expect(await orders.everything()).toEqual(BOUGHT)
  })
})

test.each([
  ['exchange_rate', '31', 17_050],
  ['exchange_bonus', '20', 18_000],
])('at a better price by then, %s %s, the player gets the more it brings', async (key, value, receive) => {
  const order = await orders.anIntent()
  await orders.pay(order)
  await setSetting(desk.portal, key, value)
  expect(await orders.buyAll()).toBe(1)
  expect((await orders.now(order)).purchase).toMatchObject({ state: 'bought', receive, amount: 50_000 })
  expect(await orders.everything()).toEqual({ ...BOUGHT, luong: receive })
  await setSetting(desk.portal, 'exchange_bonus', '10')
})

describe('what was paid for and cannot be bought', () => {
  const ban = () =>
    inTransaction(desk.portal.db, (tx) =>
      banPlayer(tx, {
        userId: orders.player.id,
        until: new Date(Date.now() + 3_600_000),
        reason: 'Dùng công cụ tự động',
        actor: { kind: 'system' },
      }),
    )

  // No call takes an activation back; the guard stands all the same.
  const moveActivation = (from: string, to: string) =>
    asOwner(
      desk.portal,
      `INSERT INTO ${to} SELECT * FROM ${from} WHERE user_id = ${orders.player.id};
       DELETE FROM ${from} WHERE user_id = ${orders.player.id}`,
    )

  test.each<[string, () => Promise<unknown>]>([
    ['price-changed', () => setSetting(desk.portal, 'exchange_rate', '29')],
    ['price-changed', () => setSetting(desk.portal, 'exchange_amounts', '[10000]')],
    [
      'character-gone',
      () => asOwner(desk.portal, 'DELETE FROM game_character WHERE id = $1', [orders.character]),
    ],
    ['banned', ban],
    ['not-activated', () => moveActivation('activation', 'moved_activation')],
    ['late', () => asOwner(desk.portal, "UPDATE order_purchase SET until = now() - interval '1 second'")],
  ])('stays in the wallet, and the player is told why once: %s', async (reason, change) => {
    const email = anEmail()
    await giveVerifiedEmail(desk.portal, orders.player.id, email)
    const order = await orders.anIntent()
    await orders.pay(order)
    await change()
    expect(await orders.buyAll()).toBe(1)
    const purchase = (await orders.now(order)).purchase
    expect(purchase).toMatchObject({ state: 'not-bought', reason, delivery: null })
    expect(await asOperatorSees(order)).toEqual(purchase)
    expect(await orders.everything()).toEqual(KEPT)
    await orders.hasten()
    expect(await orders.buyAll()).toBe(0)
    const [notice, ...others] = await noticesOf(desk.portal, orders.player)
    expect(notice).toMatchObject({ title: 'Chưa đổi được 16,500 lượng', href: `/recharge/${order.code}` })
    expect(others.map(({ title }) => title)).toEqual(['Đã cộng 46,000 TCoin'])
    const kinds = (await lettersTo(desk.portal, email)).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['order-not-bought', 'recharge-credited'])
    if (reason === 'not-activated') await moveActivation('moved_activation', 'activation')
  })

  test('because less was paid stays in the wallet, unless the wallet has enough by then', async () => {
    const order = await orders.anIntent()
    await orders.pay(order, 40_000)
    await orders.buyAll()
    expect((await orders.now(order)).purchase).toMatchObject({ state: 'not-bought', reason: 'coins-missing' })
    const second = await orders.place({ amount: 20_000 }).then(({ body }) => body as RechargeOrder)
    await orders.pay(second, 15_000)
    await orders.buyAll()
    expect((await orders.now(second)).purchase).toMatchObject({ state: 'bought' })
    expect(await orders.everything()).toEqual({ ...BOUGHT, wallet: 9_000 })
  })

  test('because the order was cancelled stays in the wallet, also when its money is credited later', async () => {
    const order = await orders.anIntent()
    await desk.portal.call('POST', `/api/recharge/orders/${order.code}/cancel`, {
      token: orders.player.token,
    })
    expect((await orders.now(order)).purchase).toMatchObject({ state: 'not-bought', reason: 'cancelled' })
    const transfer = await orders.pay(order)
    await desk.done(transfer, 'match', { order_code: order.code })
    expect(await orders.buyAll()).toBe(0)
    expect(await orders.everything()).toEqual(KEPT)
  })

  test('because nobody paid in time ends silently', async () => {
    const order = await orders.anIntent()
    await ageOrder(desk.portal, order.code, 1)
    await endUnpaid(desk.portal.deps)
    expect((await orders.now(order)).purchase).toMatchObject({ state: 'waiting' })
    await asOwner(desk.portal, "UPDATE order_purchase SET until = now() - interval '1 second'")
    await endUnpaid(desk.portal.deps)
    expect((await orders.now(order)).purchase).toMatchObject({ state: 'not-bought', reason: 'late' })
    expect(await noticesOf(desk.portal, orders.player)).toEqual([])
  })
})
