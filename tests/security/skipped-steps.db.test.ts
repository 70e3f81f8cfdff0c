import { afterAll, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { provePhone } from '#tests/support/mail.ts'
import { aPhone, receiveCode, tryCode } from '#tests/support/phones.ts'
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

  test('security row 24: the gift is taken once, however often and in how many packages it is asked for at once', async () => {
    const { player, character } = await rich(true)
    const take = (package_id: number) =>
      post(player, 'user/buy-package', { character_id: character, package_id })
    const answers = await Promise.all([9_999, 19_999, 9_999, 19_999, 9_999, 19_999].map(take))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    for (const answer of others) expect(refusal(answer)).toEqual([409, 'GIFT_ALREADY_TAKEN'])
    expect(refusal(await take(9_999))).toEqual([409, 'GIFT_ALREADY_TAKEN'])
    expect(await deliveriesOf(player)).toHaveLength(1)
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

  test('security row 24: no password is reset by a code that was sent but never verified', async () => {
    const phone = aPhone()
    const player = await aPlayer(portal, { phone })
    await provePhone(portal, { player, phone: `84${phone.slice(1)}` })
    const code = await receiveCode(portal, phone)
    const password = 'mat-khau-moi-12'
    const reset = () =>
      portal.call('POST', '/api/password/reset-via-phone', {
        body: { username: player.username, phone, password, code },
      })
    expect(refusal(await reset())).toEqual([422, 'OTP_INVALID'])
    const login = () =>
      portal.call('POST', '/api/auth/login', { body: { username: player.username, password } })
    expect((await login()).status).toBe(422)
    // The step that was missing is all that was missing.
    expect((await tryCode(portal, { phone, code })).status).toBe(200)
    expect((await reset()).status).toBe(200)
    expect((await login()).status).toBe(200)
  })
})
