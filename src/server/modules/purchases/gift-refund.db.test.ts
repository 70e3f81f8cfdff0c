import { afterEach, describe, expect, test } from 'vitest'
import { refundDelivery } from './resolve.service.ts'
import { operatorsCall } from '#tests/support/operators.ts'
import { useTestApp } from '#tests/support/app.ts'
import { workOnce, charactersOf } from '#tests/support/purchases.ts'
import { aPlayer } from '#tests/support/players.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import {
  aBuyer,
  codesOf,
  deliveryOf,
  giftOf,
  holdingsOf,
  takeGift,
  type Purchase,
} from './testing/gift-counter.ts'

const portal = useTestApp()
afterEach(() => expectReconciled(portal))

const aTrader = (coins: number) => aBuyer(portal, coins)
const take = (purchase: Purchase) => takeGift(portal, purchase)

/** The character moves to somebody else, so that the game refuses what is sent to it. */
const moveAway = (character: string) =>
  portal.db.updateTable('game.characters').set({ account: 'nguoikhac' }).where('id', '=', character).execute()

describe('a refund frees the account', () => {
  test('when the game refuses: coins back, no gift held, and another may be taken', async () => {
    const player = await aPlayer(portal, { coins: 9_999, isActivated: true })
    const [gone, here] = await charactersOf(portal, player)
    await moveAway(gone!)
    expect((await take({ player, character: gone })).status).toBe(200)
    await workOnce(portal.deps)
    expect(await giftOf(portal, player)).toBeNull()
    expect(await balanceOf(portal.db, player.walletId)).toBe(9_999)
    await expectReconciled(portal)
    const before = await holdingsOf(portal, here!)
    const again = await take({ player, character: here })
    expect(again.status).toBe(200)
    await workOnce(portal.deps)
    expect(await giftOf(portal, player)).toBe(9_999)
    expect(await holdingsOf(portal, here!)).toMatchObject({
      luong: before.luong + 2_999,
      yen: before.yen + 9_999_999,
    })
    expect(codesOf([await take({ player, character: here })])).toEqual(['409 GIFT_ALREADY_TAKEN'])
  })

  test('when an operator refunds what the game has not applied; what arrived stays taken', async () => {
    const { player, character } = await aTrader(30_000)
    const refund = async (id: string) => (await refundDelivery(portal.deps, operatorsCall(id))).state
    expect(await refund(deliveryOf(await take({ player, character })))).toBe('refunded')
    expect(await giftOf(portal, player)).toBeNull()
    const kept = deliveryOf(await take({ player, character, id: 19_999 }))
    await workOnce(portal.deps)
    expect(await refund(kept)).toBe('delivered')
    expect(await giftOf(portal, player)).toBe(19_999)
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_001)
  })

  test('raced by new purchases never leaves two gifts', async () => {
    for (let round = 0; round < 5; round++) {
      const { player, character } = await aTrader(50_000)
      const first = deliveryOf(await take({ player, character }))
      const [refunded] = await Promise.all([
        refundDelivery(portal.deps, operatorsCall(first)),
        ...Array.from({ length: 8 }, () => take({ player, character, id: 19_999 })),
      ])
      expect(refunded.state).toBe('refunded')
      const live = await portal.db
        .selectFrom('first_gift')
        .select('package_id')
        .where('user_id', '=', player.id)
        .where('voided_at', 'is', null)
        .execute()
      expect(live.length).toBeLessThanOrEqual(1)
      expect(await balanceOf(portal.db, player.walletId)).toBe(50_000 - live.length * 19_999)
      await expectReconciled(portal)
    }
  })
})
