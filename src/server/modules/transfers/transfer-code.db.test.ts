import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { provePhone, receiveCode, verifiedCode } from '#tests/support/phones.ts'
import { aPlayer, type TestPlayer, balances, send } from '#tests/support/players.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { withSettings } from '#tests/support/settings.ts'

const COINS = 9_000_000
const ABOVE = 2_000_001

const portal = useTestApp()
let payer: TestPlayer
let payee: TestPlayer
let phone: string
beforeEach(async () => {
  payer = await aPlayer(portal, { coins: COINS, isActivated: true })
  payee = await aPlayer(portal)
  phone = await provePhone(portal, payer)
})
afterEach(() => expectReconciled(portal))

const sendMuch = (change: Record<string, unknown> = {}, key?: string) =>
  send(portal, payer, { payee: payee.username, amount: ABOVE, ...change }, key)

describe('a transfer above the OTP limit', () => {
  test('spends a verified code of the player’s phone; the next one wants a new code', async () => {
    expect((await sendMuch()).body).toMatchObject({
      code: 'OTP_REQUIRED',
      message: 'Vui lòng xác thực mã OTP trước khi chuyển trên 2,000,000 TCoin',
    })
    await verifiedCode(portal, phone)
    expect((await sendMuch()).body).toMatchObject({ balance: COINS - ABOVE })
    expect((await sendMuch()).body.code).toBe('OTP_REQUIRED')
    expect(await balances(portal, payer, payee)).toEqual([COINS - ABOVE, ABOVE])
  })

  test('is not let through by a code that was only received', async () => {
    await receiveCode(portal, phone)
    expect((await sendMuch()).body.code).toBe('OTP_REQUIRED')
  })

  test('of a player whose phone is not proved says to prove it first, whatever codes it has', async () => {
    await portal.db
      .updateTable('user_contacts')
      .set({ phone_verified_at: null })
      .where('user_id', '=', payer.id)
      .execute()
    await verifiedCode(portal, phone)
    const answer = await sendMuch()
    expect([answer.status, answer.body]).toMatchObject([
      422,
      {
        code: 'OTP_REQUIRED',
        message: 'Để chuyển trên 2,000,000 TCoin, trước hết bạn cần xác thực số điện thoại trong Hồ sơ',
      },
    ])
  })

  test('repeated under its key gets its answer again and spends nothing more', async () => {
    await verifiedCode(portal, phone)
    const first = await sendMuch({}, 'one key')
    const again = await sendMuch({}, 'one key')
    expect(first.status).toBe(200)
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect((await sendMuch({}, 'another key')).body.code).toBe('OTP_REQUIRED')
    expect(await balances(portal, payer, payee)).toEqual([COINS - ABOVE, ABOVE])
  })

  test('that is refused spends no code, and its key may succeed later', async () => {
    await verifiedCode(portal, phone)
    for (const [change, code] of [
      [{ payee: 'khongcoai' }, 'PAYEE_NOT_FOUND'],
      [{ amount: 5_000_001 }, 'LIMIT_EXCEEDED'],
      [{ payee: payer.username }, 'VALIDATION'],
    ] as const) {
      expect((await sendMuch(change)).body.code).toBe(code)
    }
    await withSettings(portal, { transfer_enabled: 0 }, async () => {
      expect((await sendMuch({}, 'later')).status).toBe(503)
    })
    expect((await sendMuch({}, 'later')).status).toBe(200)
  })

  test('below the limit leaves the code for another act', async () => {
    await verifiedCode(portal, phone)
    expect((await sendMuch({ amount: 2_000_000 })).status).toBe(200)
    expect((await sendMuch()).status).toBe(200)
  })

  test('64 at once with one verified code: one goes through', async () => {
    await verifiedCode(portal, phone)
    const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => sendMuch({}, `key ${index}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'OTP_REQUIRED')).toHaveLength(63)
    expect(await balances(portal, payer, payee)).toEqual([COINS - ABOVE, ABOVE])
  })
})
