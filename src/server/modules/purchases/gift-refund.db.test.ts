import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refundDelivery } from './resolve.service.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { workOnce } from '#tests/support/delivery-counter.ts'
import { aPlayer } from '#tests/support/players.ts'
import { balanceOf, charactersOf, expectReconciled } from '#tests/support/purchases.ts'
import {
  aBuyer,
  codesOf,
  deliveryOf,
  giftOf,
  holdingsOf,
  takeGift,
  type Purchase,
} from './testing/gift-counter.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
afterEach(() => expectReconciled(app.db))

const aTrader = (coins: number) => aBuyer(app, coins)
const take = (purchase: Purchase) => takeGift(app, purchase)

/** The character moves to somebody else, so that the game refuses what is sent to it. */
const moveAway = (character: string) =>
  app.db.updateTable('game.characters').set({ account: 'nguoikhac' }).where('id', '=', character).execute()

describe('a refund frees the account', () => {
  test('when the game refuses: coins back, no gift held, and another may be taken', async () => {
    const player = await aPlayer(app, { coins: 9_999, isActivated: true })
    const [gone, here] = await charactersOf(app, player)
    await moveAway(gone!)
    expect((await take({ player, character: gone })).status).toBe(200)
    await workOnce(app.deps)
    expect(await giftOf(app, player)).toBeNull()
    expect(await balanceOf(app.db, player.walletId)).toBe(9_999)
    await expectReconciled(app.db)
    const before = await holdingsOf(app, here!)
    const again = await take({ player, character: here })
    expect(again.status).toBe(200)
    await workOnce(app.deps)
    expect(await giftOf(app, player)).toBe(9_999)
    expect(await holdingsOf(app, here!)).toMatchObject({
      luong: before.luong + 2_999,
      yen: before.yen + 9_999_999,
    })
    expect(codesOf([await take({ player, character: here })])).toEqual(['409 GIFT_ALREADY_TAKEN'])
  })

  test('when an operator refunds what the game has not applied; what arrived stays taken', async () => {
    const { player, character } = await aTrader(30_000)
    const refund = (deliveryId: string) =>
      refundDelivery(app.deps, { deliveryId, operatorId: '1', reason: 'Người chơi yêu cầu', requestId: 'x' })
    expect(await refund(deliveryOf(await take({ player, character })))).toBe('refunded')
    expect(await giftOf(app, player)).toBeNull()
    const kept = deliveryOf(await take({ player, character, id: 19_999 }))
    await workOnce(app.deps)
    expect(await refund(kept)).toBe('delivered')
    expect(await giftOf(app, player)).toBe(19_999)
    expect(await balanceOf(app.db, player.walletId)).toBe(10_001)
  })

  test('raced by new purchases never leaves two gifts', async () => {
    for (let round = 0; round < 5; round++) {
      const { player, character } = await aTrader(50_000)
      const first = deliveryOf(await take({ player, character }))
      const [refunded] = await Promise.all([
        refundDelivery(app.deps, { deliveryId: first, operatorId: '1', reason: 'Thử', requestId: 'x' }),
        ...Array.from({ length: 8 }, () => take({ player, character, id: 19_999 })),
      ])
      expect(refunded).toBe('refunded')
      const live = await app.db
        .selectFrom('first_gift')
        .select('package_id')
        .where('user_id', '=', player.id)
        .where('voided_at', 'is', null)
        .execute()
      expect(live.length).toBeLessThanOrEqual(1)
      expect(await balanceOf(app.db, player.walletId)).toBe(50_000 - live.length * 19_999)
      await expectReconciled(app.db)
    }
  })
})
