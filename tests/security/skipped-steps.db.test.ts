import { afterAll, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { charactersOf } from '#tests/support/purchases.ts'

const portal = useTestApp()
afterAll(() => expectReconciled(portal))

const post = (player: TestPlayer, path: string, body: object) =>
  portal.call('POST', `/api/${path}`, { token: player.token, body })

const refusal = ({ status, body }: { status: number; body: any }) => [status, body.code]

async function rich(isActivated: boolean): Promise<{ player: TestPlayer; character: string }> {
  const player = await aPlayer(portal, { coins: 200_000, isActivated })
  return { player, character: (await charactersOf(portal, player))[0]! }
}

const deliveriesOf = (player: TestPlayer) =>
  portal.db.selectFrom('delivery').select(['id', 'kind']).where('user_id', '=', player.id).execute()

describe('a step cannot be skipped', () => {
  test('security row 24: nothing is traded before activation, by whichever call', async () => {
    const { player, character } = await rich(false)
    const payee = await aPlayer(portal)
    const trades: [string, object][] = [
      ['user/transfer', { payee: payee.username, amount: 1_000 }],
      ['user/transfer', { payee: payee.username, amount: 1_000, activated: true }],
      ['exchange/store', { character_id: character, amount: 10_000 }],
      ['user/buy-package', { character_id: character, package_id: 9_999 }],
    ]
    for (const [path, body] of trades)
      expect(refusal(await post(player, path, body)), path).toEqual([422, 'NOT_ACTIVATED'])
    expect(await balanceOf(portal.db, player.walletId)).toBe(200_000)
    expect(await balanceOf(portal.db, payee.walletId)).toBe(0)
    expect(await deliveriesOf(player)).toEqual([])
  })

  test('security row 24: nothing is bought for a character of another player, nor for one that changed its owner', async () => {
    const { player } = await rich(true)
    const { player: other, character: theirs } = await rich(true)
    const bodies = [
      { character_id: theirs },
      { character_id: theirs, account: other.username, user_id: other.id, server_id: '1' },
    ]
    for (const body of bodies) {
      const exchanged = await post(player, 'exchange/store', { ...body, amount: 10_000 })
      expect(refusal(exchanged)).toEqual([422, 'CHARACTER_NOT_FOUND'])
      const gift = await post(player, 'user/buy-package', { ...body, package_id: 9_999 })
      expect(refusal(gift)).toEqual([422, 'CHARACTER_NOT_FOUND'])
    }
    expect(await balanceOf(portal.db, player.walletId)).toBe(200_000)
    expect([...(await deliveriesOf(player)), ...(await deliveriesOf(other))]).toEqual([])
  })
})
