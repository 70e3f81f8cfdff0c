import { afterEach, expect, test } from 'vitest'
import { invariant } from '#server/platform/values/errors.ts'
import { findTrader } from '#server/modules/traders/index.ts'
import { anOrder, balanceOf, orderNow } from '#tests/support/bank.ts'
import { useCashDesk } from '#tests/support/cash-desk.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { aPlayer } from '#tests/support/players.ts'
import { promotionNow, runningPromotion, stopPromotions, takeBackAll } from '#tests/support/promotions.ts'

const desk = useCashDesk()
afterEach(async () => {
  await stopPromotions(desk.portal)
  await expectReconciled(desk.portal)
})

/** An order of 50,000 with a bonus of 10,000 that was paid; the player has given so much away. */
async function aPaidBonus(spent = 0, paid = 50_000) {
  const promotion = await runningPromotion(desk.portal)
  const player = await aPlayer(desk.portal, { isActivated: true })
  const order = await anOrder(desk.portal, player)
  const transfer = await desk.arrives({ content: order.code, transferAmount: paid })
  if (spent > 0) {
    const friend = await aPlayer(desk.portal, { isActivated: true })
    const body = { payee: friend.username, amount: spent }
    const given = await desk.portal.call('POST', '/api/user/transfer', { token: player.token, body })
    invariant(given.status === 200, 'they give it away')
  }
  return { promotion, player, order, transfer }
}

const left = ({ id, budgetId }: { id: string; budgetId: string }) =>
  promotionNow(desk.portal, { id, budgetId })

test('what the bank took back takes its bonus with it, which goes back to the budget', async () => {
  const { promotion, player, order, transfer } = await aPaidBonus()
  expect(await balanceOf(desk.portal, player)).toBe(60_000)
  const outgoing = await desk.arrives({ transferType: 'out', content: 'HOAN TIEN' })
  await desk.done(outgoing, 'link-reversal', { original_id: transfer }, { by: desk.owner })
  expect(await balanceOf(desk.portal, player)).toBe(0)
  await takeBackAll(desk.portal)
  expect(await left(promotion)).toEqual({ given: 0, left: 10_000_000, held: 0 })
  expect((await orderNow(desk.portal, player, order.code)).bonus).toBeNull()
})

test('a bonus that was spent is owed, with the recharge', async () => {
  const { player, transfer } = await aPaidBonus(55_000)
  const outgoing = await desk.arrives({ transferType: 'out', content: 'HOAN TIEN' })
  const done = await desk.done(outgoing, 'link-reversal', { original_id: transfer }, { by: desk.owner })
  expect(done.lent).toBe(55_000)
  expect(await findTrader(desk.portal.db, player.id)).toMatchObject({ balance: 0, debt: 55_000 })
})

test('a credit that an operator reverses holds its bonus for the next decision, which gives it again', async () => {
  const { promotion, player, order, transfer } = await aPaidBonus()
  for (let round = 0; round < 3; round += 1) {
    await desk.done(transfer, 'reverse-credit', {}, { by: desk.owner })
    expect(await balanceOf(desk.portal, player)).toBe(0)
    await takeBackAll(desk.portal)
    expect(await left(promotion)).toMatchObject({ held: 10_000, left: 9_990_000 })
    await expectReconciled(desk.portal)
    await desk.done(transfer, 'match', { order_code: order.code })
    expect(await balanceOf(desk.portal, player)).toBe(60_000)
    await expectReconciled(desk.portal)
  }
})

test('after a reversal the whole promise counts again, as far as it was not taken back', async () => {
  const { promotion, player, order, transfer } = await aPaidBonus(0, 30_000)
  expect(await balanceOf(desk.portal, player)).toBe(36_000)
  await desk.done(transfer, 'reverse-credit', {}, { by: desk.owner })
  const whole = await desk.arrives({ transferAmount: 50_000 })
  await desk.done(whole, 'match', { order_code: order.code })
  expect(await balanceOf(desk.portal, player)).toBe(60_000)
  expect(await left(promotion)).toMatchObject({ given: 10_000 })
})

test('money that an operator ignores after a reversal gives the promise back', async () => {
  const { promotion, transfer } = await aPaidBonus()
  await desk.done(transfer, 'reverse-credit', {}, { by: desk.owner })
  await desk.done(transfer, 'ignore', {})
  await takeBackAll(desk.portal)
  expect(await left(promotion)).toEqual({ given: 0, left: 10_000_000, held: 0 })
})

test('money in time that an operator matches later brings its bonus', async () => {
  const promotion = await runningPromotion(desk.portal)
  const player = await aPlayer(desk.portal)
  const order = await anOrder(desk.portal, player)
  const transfer = await desk.arrives({})
  await desk.done(transfer, 'match', { order_code: order.code })
  expect(await balanceOf(desk.portal, player)).toBe(60_000)
  expect(await left(promotion)).toMatchObject({ given: 10_000, held: 0 })
})

test('an order that was cancelled has no bonus any more, also when its money is matched with it', async () => {
  await runningPromotion(desk.portal)
  const player = await aPlayer(desk.portal)
  const order = await anOrder(desk.portal, player)
  await desk.portal.call('POST', `/api/recharge/orders/${order.code}/cancel`, { token: player.token })
  const transfer = await desk.arrives({ content: order.code })
  await desk.done(transfer, 'match', { order_code: order.code })
  expect(await balanceOf(desk.portal, player)).toBe(50_000)
  await takeBackAll(desk.portal)
})
