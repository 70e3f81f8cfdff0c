import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer, creditPlayer, type TestPlayer, balances, ban, send } from '#tests/support/players.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { withSettings } from '#tests/support/settings.ts'

const portal = useTestApp()
let payer: TestPlayer
let payee: TestPlayer
beforeEach(async () => {
  payer = await aPlayer(portal, { coins: 1_000_000, isActivated: true })
  payee = await aPlayer(portal, { isActivated: true })
})
afterEach(() => expectReconciled(portal))

describe('a transfer', () => {
  test('moves the amount, whatever the case of the payee’s name', async () => {
    const answer = await send(portal, payer, { payee: payee.username.toUpperCase(), amount: 50_000 })
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: `Đã chuyển 50,000 TCoin cho ${payee.username}`, report: true, balance: 950_000 },
    ])
    expect(await balances(portal, payer, payee)).toEqual([950_000, 50_000])
  })

  test('is refused to an unknown name, to a look-alike and to oneself', async () => {
    const kien = await aPlayer(portal, { username: 'kienkunai' })
    for (const name of ['khongcoai', '\u212aienkunai', 'kienkuna\u0131', 'kienkunai\u0000', "' OR '1'='1"]) {
      const answer = await send(portal, payer, { payee: name, amount: 1 })
      expect([name, answer.status, answer.body.code]).toEqual([name, 422, 'PAYEE_NOT_FOUND'])
    }
    const oneself = await send(portal, payer, { payee: payer.username.toUpperCase(), amount: 1 })
    expect([oneself.status, oneself.body]).toMatchObject([
      422,
      { code: 'VALIDATION', errors: { payee: ['Bạn không thể chuyển TCoin cho chính mình'] } },
    ])
    expect(await balances(portal, payer, kien)).toEqual([1_000_000, 0])
  })

  test.for([
    '0',
    '-1',
    '1.5',
    '"1"',
    'null',
    '[1]',
    '{}',
    'true',
    '1e400',
    '9007199254740992',
    '9000000000000001',
  ])('of %s is refused and moves nothing', async (amount) => {
    const answer = await portal.call('POST', '/api/user/transfer', {
      token: payer.token,
      headers: { 'content-type': 'application/json' },
      body: `{"payee":"${payee.username}","amount":${amount}}`,
    })
    expect([answer.status, answer.body.code, Object.keys(answer.body.errors ?? {})]).toEqual([
      422,
      'VALIDATION',
      ['amount'],
    ])
    expect(await balances(portal, payer, payee)).toEqual([1_000_000, 0])
  })

  test('needs an activated payer who is not banned; the payee may be neither', async () => {
    const newcomer = await aPlayer(portal, { coins: 5_000 })
    const refused = await send(portal, newcomer, { payee: payee.username, amount: 1 })
    expect([refused.status, refused.body.code]).toEqual([422, 'NOT_ACTIVATED'])
    await ban(portal, newcomer)
    expect((await send(portal, payer, { payee: newcomer.username, amount: 1_000 })).status).toBe(200)
    await ban(portal, payer)
    const banned = await send(portal, payer, { payee: payee.username, amount: 1 })
    expect([banned.status, banned.body.code]).toEqual([422, 'BANNED'])
    expect(await balances(portal, payer, payee, newcomer)).toEqual([999_000, 0, 6_000])
  })

  test('of more than there is says what is missing', async () => {
    const answer = await send(portal, payer, { payee: payee.username, amount: 1_020_000 })
    expect([answer.status, answer.body]).toMatchObject([
      422,
      {
        code: 'INSUFFICIENT_BALANCE',
        message: 'Bạn còn thiếu: 20,000, vui lòng nạp thêm tiền',
        report: true,
      },
    ])
    expect(await balances(portal, payer, payee)).toEqual([1_000_000, 0])
  })

  test('has a smallest amount, set by operators', async () => {
    await withSettings(portal, { transfer_min: 1_000 }, async () => {
      const answer = await send(portal, payer, { payee: payee.username, amount: 999 })
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { amount: ['Số TCoin chuyển tối thiểu là 1,000'] },
      ])
      expect((await send(portal, payer, { payee: payee.username, amount: 1_000 })).status).toBe(200)
    })
  })

  test('can be switched off; then the refusal suggests no early retry', async () => {
    await withSettings(portal, { transfer_enabled: 0 }, async () => {
      const answer = await send(portal, payer, { payee: payee.username, amount: 1 })
      expect([answer.status, answer.body]).toMatchObject([
        503,
        { code: 'DISABLED', message: 'Tính năng chuyển TCoin đang tạm ngừng, vui lòng quay lại sau' },
      ])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(600)
    })
    expect(await balances(portal, payer)).toEqual([1_000_000])
  })

  test('above the OTP limit is refused without a code', async () => {
    await creditPlayer(portal, payer, 4_000_000)
    const answer = await send(portal, payer, { payee: payee.username, amount: 2_000_001 })
    expect([answer.status, answer.body.code]).toEqual([422, 'OTP_REQUIRED'])
    expect((await send(portal, payer, { payee: payee.username, amount: 2_000_000 })).body).toMatchObject({
      balance: 3_000_000,
    })
  })
})

describe('a transfer that activates the payee', () => {
  test('takes the fee out of the amount, in the same transaction', async () => {
    const newcomer = await aPlayer(portal)
    const answer = await send(portal, payer, { payee: newcomer.username, amount: 50_000, activate: true })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: `Đã chuyển 50,000 TCoin cho ${newcomer.username}, trong đó 20,000 TCoin là phí kích hoạt tài khoản`,
        report: true,
        balance: 950_000,
      },
    ])
    expect(await balances(portal, payer, newcomer)).toEqual([950_000, 30_000])
    expect((await send(portal, newcomer, { payee: payer.username, amount: 30_000 })).status).toBe(200)
  })

  test('must cover the fee, even when the payee has coins of their own', async () => {
    const newcomer = await aPlayer(portal, { coins: 100_000 })
    const answer = await send(portal, payer, { payee: newcomer.username, amount: 19_999, activate: true })
    expect([answer.status, answer.body.code, Object.keys(answer.body.errors ?? {})]).toEqual([
      422,
      'VALIDATION',
      ['amount'],
    ])
    expect(await balances(portal, payer, newcomer)).toEqual([1_000_000, 100_000])
  })

  test('changes nothing for a payee who is activated, and is not done unless asked for', async () => {
    expect(
      (await send(portal, payer, { payee: payee.username, amount: 5, activate: true })).body.message,
    ).toBe(`Đã chuyển 5 TCoin cho ${payee.username}`)
    const newcomer = await aPlayer(portal)
    for (const activate of [false, null, undefined]) {
      await send(portal, payer, { payee: newcomer.username, amount: 30_000, activate })
    }
    expect(await balances(portal, payee, newcomer)).toEqual([5, 90_000])
    expect((await send(portal, newcomer, { payee: payer.username, amount: 1 })).body.code).toBe(
      'NOT_ACTIVATED',
    )
  })

  test('takes nothing when the fee is 0', async () => {
    const newcomer = await aPlayer(portal)
    await withSettings(portal, { active_fee: 0 }, async () => {
      await send(portal, payer, { payee: newcomer.username, amount: 7, activate: true })
    })
    expect((await send(portal, newcomer, { payee: payer.username, amount: 7 })).status).toBe(200)
  })

  test('pays one fee, however many activate the same account at once, the player too', async () => {
    const newcomer = await aPlayer(portal, { coins: 20_000 })
    const others = await Promise.all(
      Array.from({ length: 5 }, () => aPlayer(portal, { coins: 30_000, isActivated: true })),
    )
    const answers = await Promise.all([
      ...others.map((other) =>
        send(portal, other, { payee: newcomer.username, amount: 30_000, activate: true }),
      ),
      portal.call('POST', '/api/user/active', { token: newcomer.token }),
    ])
    const transfers = answers.slice(0, -1)
    expect(transfers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200])
    expect([200, 409]).toContain(answers.at(-1)?.status)
    expect(await balances(portal, newcomer)).toEqual([20_000 + 150_000 - 20_000])
    expect(await balances(portal, ...others)).toEqual([0, 0, 0, 0, 0])
  })
})

describe('many at once', () => {
  test('of 64 transfers of the whole balance with different keys, one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        send(portal, payer, { payee: payee.username, amount: 1_000_000 }, `key ${index}`),
      ),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.body.code === 'INSUFFICIENT_BALANCE')).toHaveLength(63)
    expect(await balances(portal, payer, payee)).toEqual([0, 1_000_000])
  })

  test('64 copies with one key have one effect and one answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, () =>
        send(portal, payer, { payee: payee.username, amount: 1_000 }, 'the same'),
      ),
    )
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1)
    expect(await balances(portal, payer, payee)).toEqual([999_000, 1_000])
  })

  test('a key belongs to its player and its body', async () => {
    const first = await send(portal, payer, { payee: payee.username, amount: 10 }, 'k')
    const repeated = await send(portal, payer, { amount: 10, payee: payee.username, unknown: 'field' }, 'k')
    expect([repeated.status, repeated.body]).toEqual([first.status, first.body])
    for (const body of [
      { payee: payee.username, amount: 11 },
      { payee: payee.username, amount: 10, activate: true },
    ]) {
      const other = await send(portal, payer, body, 'k')
      expect([other.status, other.body.code]).toEqual([422, 'KEY_REUSED'])
    }
    expect((await send(portal, payee, { payee: payer.username, amount: 10 }, 'k')).status).toBe(200)
    expect(await balances(portal, payer, payee)).toEqual([1_000_000, 0])
  })

  test('players who pay each other both ways all get through', async () => {
    await creditPlayer(portal, payee, 1_000_000)
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 2 === 0
          ? send(portal, payer, { payee: payee.username, amount: 3 })
          : send(portal, payee, { payee: payer.username, amount: 2 }),
      ),
    )
    expect(answers.filter((answer) => answer.status !== 200)).toEqual([])
    expect(await balances(portal, payer, payee)).toEqual([1_000_000 - 30, 1_000_000 + 30])
  })
})

test('without a session nothing is sent', async () => {
  const answer = await portal.call('POST', '/api/user/transfer', {
    body: { payee: payee.username, amount: 1 },
  })
  expect(answer.status).toBe(401)
})
