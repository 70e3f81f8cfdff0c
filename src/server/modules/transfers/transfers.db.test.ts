import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { provePhone, receiveCode, verifiedCode } from '#tests/support/phones.ts'
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
      {
        message: `Đã chuyển 50,000 TCoin cho ${payee.username}`,
        report: true,
        balance: 950_000,
        balance_version: 4,
      },
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

  test('of more than there is has what is missing', async () => {
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
        balance_version: 4,
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

  test('changes nothing for a payee who is activated, and is not done unless requested', async () => {
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

describe('the code for much TCoin', () => {
  const COINS = 9_000_000
  const ABOVE = 2_000_001
  let phone: string

  beforeEach(async () => {
    payer = await aPlayer(portal, { coins: COINS, isActivated: true })
    payee = await aPlayer(portal)
    phone = await provePhone(portal, payer)
  })

  const sendMuch = (change: Record<string, unknown> = {}, key?: string) =>
    send(portal, payer, { payee: payee.username, amount: ABOVE, ...change }, key)

  describe('a transfer above the OTP limit', () => {
    test('spends a verified code of the player’s phone; the next one needs a new code', async () => {
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

    test('of a player whose phone is not verified requires that first, whatever codes it has', async () => {
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
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, index) => sendMuch({}, `key ${index}`)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ body }) => body.code === 'OTP_REQUIRED')).toHaveLength(63)
      expect(await balances(portal, payer, payee)).toEqual([COINS - ABOVE, ABOVE])
    })
  })
})

describe('the limit of a day', () => {
  describe('the limit of the day', () => {
    test('is not passed by transfers that come all at once', async () => {
      await withSettings(portal, { transfer_daily_limit: 500_000 }, async () => {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => send(portal, payer, { payee: payee.username, amount: 50_000 })),
        )
        expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10)
        expect(answers.filter((answer) => answer.body.code === 'LIMIT_EXCEEDED')).toHaveLength(10)
      })
      expect(await balances(portal, payer, payee)).toEqual([500_000, 500_000])
    })

    test('counts what was sent, not what was received or paid to the portal', async () => {
      await withSettings(portal, { transfer_daily_limit: 30_000 }, async () => {
        await send(portal, payer, { payee: payee.username, amount: 30_000 })
        expect((await send(portal, payee, { payee: payer.username, amount: 30_000 })).status).toBe(200)
      })
    })

    test('starts again at midnight in Vietnam', async () => {
      await withSettings(portal, { transfer_daily_limit: 100_000 }, async () => {
        await send(portal, payer, { payee: payee.username, amount: 100_000 })
        const full = await send(portal, payer, { payee: payee.username, amount: 1 })
        expect([full.status, full.body]).toMatchObject([
          422,
          {
            code: 'LIMIT_EXCEEDED',
            message: 'Hạn mức chuyển mỗi ngày là 100,000 TCoin, hôm nay bạn còn được chuyển 0 TCoin',
          },
        ])
        await backdateTo(`midnight - interval '1 millisecond'`)
        expect((await send(portal, payer, { payee: payee.username, amount: 40_000 })).status).toBe(200)
        await backdateTo(`midnight`)
        expect((await send(portal, payer, { payee: payee.username, amount: 1 })).status).toBe(422)
      })
    })

    /** Moves the payer's entries to another moment, which only the database's superuser can. */
    async function backdateTo(moment: string): Promise<void> {
      const owner = new Client({ connectionString: portal.ownerUrl })
      await owner.connect()
      await owner.query(`BEGIN; SET LOCAL session_replication_role = replica;
        UPDATE ledger_entry SET created_at =
          (SELECT ${moment} FROM (SELECT date_trunc('day', now(), 'Asia/Ho_Chi_Minh') AS midnight) AS today)
         WHERE account_id = ${payer.walletId}; COMMIT`)
      await owner.end()
    }

    test('is counted by an index on the wallet’s own entries', async () => {
      const plan = await portal.db.transaction().execute(async (tx) => {
        await sql`SET LOCAL enable_seqscan = off`.execute(tx)
        const { rows } = await sql<{ 'QUERY PLAN': string }>`
          EXPLAIN SELECT sum(amount) FROM ledger_entry
           WHERE account_id = ${payer.walletId} AND kind = 'p2p' AND amount < '0'
             AND created_at >= date_trunc('day', statement_timestamp() AT TIME ZONE 'Asia/Ho_Chi_Minh') AT TIME ZONE 'Asia/Ho_Chi_Minh'
        `.execute(tx)
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
      expect(plan).toContain('account_id =')
      expect(plan).toMatch(/Index.*ledger_entry_(created|kind|amount|pkey)/)
    })
  })
})
