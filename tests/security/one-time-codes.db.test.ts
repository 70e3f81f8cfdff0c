import { describe, expect, test } from 'vitest'
import { canonicalPhone } from '#contract/fields.ts'
import { newCode } from '#server/modules/otp/codes.service.ts'
import { useTestApp } from '#tests/support/app.ts'
import {
  aPhone,
  letTimePass,
  provePhone,
  receiveCode,
  tryCode,
  verifiedCode,
  wrongCode,
} from '#tests/support/phones.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'

const portal = useTestApp()

const MINUTE = 60
const ABOVE_LIMIT = 2_000_001

/** A player whose phone is proved and who has enough for two transfers that want a code. */
async function aRichPlayer(): Promise<{ player: TestPlayer; phone: string; payee: TestPlayer }> {
  const player = await aPlayer(portal, { coins: 4_500_000, isActivated: true })
  return { player, phone: await provePhone(portal, player), payee: await aPlayer(portal) }
}

const transfer = (player: TestPlayer, payee: TestPlayer, key?: string) =>
  portal.call('POST', '/api/user/transfer', {
    token: player.token,
    body: { payee: payee.username, amount: ABOVE_LIMIT },
    ...(key === undefined ? {} : { key }),
  })

const refusal = { status: 422, body: { code: 'OTP_INVALID' } }

describe('whose code it is', () => {
  test('security row 08: the code of one phone is refused for another, and stays good for its own', async () => {
    const [own, other] = [aPhone(), aPhone()]
    const code = await receiveCode(portal, own)
    await receiveCode(portal, other)
    for (const phone of [other, aPhone()]) {
      expect(await tryCode(portal, { phone, code })).toMatchObject(refusal)
    }
    expect((await tryCode(portal, { phone: own, code })).status).toBe(200)
  })

  test('security row 08: the code of the first request is refused after the second', async () => {
    const phone = aPhone()
    const first = await receiveCode(portal, phone)
    await letTimePass(portal, phone, MINUTE)
    const second = await receiveCode(portal, phone)
    // Once in a million draws they are the same.
    const former = first === second ? wrongCode(second) : first
    expect(await tryCode(portal, { phone, code: former })).toMatchObject(refusal)
    expect((await tryCode(portal, { phone, code: second })).status).toBe(200)
  })

  test('security row 08: a verified code is voided by the next request', async () => {
    const { player, phone, payee } = await aRichPlayer()
    await verifiedCode(portal, phone)
    await letTimePass(portal, phone, MINUTE)
    await receiveCode(portal, phone)
    expect((await transfer(player, payee)).body.code).toBe('OTP_REQUIRED')
  })

  test('security row 08: one player’s verified code does not let another act', async () => {
    const [one, other] = [await aRichPlayer(), await aRichPlayer()]
    await verifiedCode(portal, one.phone)
    expect((await transfer(other.player, other.payee)).body.code).toBe('OTP_REQUIRED')
    expect((await transfer(one.player, one.payee)).status).toBe(200)
  })
})

describe('how long a code lasts', () => {
  test('security row 09: a code is verified once, and then serves one act', async () => {
    const { player, phone, payee } = await aRichPlayer()
    const code = await verifiedCode(portal, phone)
    expect(await tryCode(portal, { phone, code })).toMatchObject(refusal)
    expect((await transfer(player, payee)).status).toBe(200)
    expect((await transfer(player, payee)).body.code).toBe('OTP_REQUIRED')
    expect(await tryCode(portal, { phone, code })).toMatchObject(refusal)
  })

  test('security row 09: a code is verified within 5 minutes of its making and no later', async () => {
    for (const [seconds, status] of [
      [5 * MINUTE - 10, 200],
      [5 * MINUTE, 422],
    ] as const) {
      const phone = aPhone()
      const code = await receiveCode(portal, phone)
      await letTimePass(portal, phone, seconds)
      expect((await tryCode(portal, { phone, code })).status).toBe(status)
    }
  })

  test('security row 09: a verified code serves no act 10 minutes after its making', async () => {
    for (const [seconds, status] of [
      [10 * MINUTE - 10, 200],
      [10 * MINUTE, 422],
    ] as const) {
      const { player, phone, payee } = await aRichPlayer()
      await verifiedCode(portal, phone)
      await letTimePass(portal, phone, seconds)
      expect((await transfer(player, payee)).status).toBe(status)
    }
  })

  test('security row 09: ten thousand codes are spread evenly over all there are', () => {
    const codes = Array.from({ length: 10_000 }, newCode)
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([])
    // Of a million, ten thousand fair draws hold about 9,950 different ones.
    expect(new Set(codes).size).toBeGreaterThan(9_880)
    for (let place = 0; place < 6; place += 1) {
      const counts = new Map<string, number>()
      for (const code of codes) counts.set(code[place]!, (counts.get(code[place]!) ?? 0) + 1)
      const chiSquare = [...'0123456789'].reduce(
        (sum, digit) => sum + ((counts.get(digit) ?? 0) - 1_000) ** 2 / 1_000,
        0,
      )
      // 9 degrees of freedom: a fair source is above this once in ten million times.
      expect(chiSquare, `place ${place}`).toBeLessThan(50)
    }
    // 100 equal parts of the whole range, 99 degrees of freedom: as rarely.
    const parts = Array.from({ length: 100 }, () => 0)
    for (const code of codes) parts[Math.floor(Number(code) / 10_000)]! += 1
    expect(parts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0)).toBeLessThan(190)
  })
})

describe('who guesses', () => {
  test('security row 10: the fifth wrong try kills a code', async () => {
    const phone = aPhone()
    const code = await receiveCode(portal, phone)
    for (let step = 1; step <= 5; step += 1) {
      expect(await tryCode(portal, { phone, code: wrongCode(code, step) })).toMatchObject(refusal)
    }
    expect(await tryCode(portal, { phone, code })).toMatchObject(refusal)

    await letTimePass(portal, phone, MINUTE)
    const next = await receiveCode(portal, phone)
    for (let step = 1; step <= 4; step += 1) await tryCode(portal, { phone, code: wrongCode(next, step) })
    expect((await tryCode(portal, { phone, code: next })).status).toBe(200)
  })

  test('security row 10: 20 attempts a day, from any address and for any number of codes', async () => {
    const phone = aPhone()
    for (let round = 1; round <= 4; round += 1) {
      const code = await receiveCode(portal, phone)
      for (let step = 1; step <= 5; step += 1) {
        expect(await tryCode(portal, { phone, code: wrongCode(code, step) })).toMatchObject(refusal)
      }
      await letTimePass(portal, phone, MINUTE)
    }
    const fifth = await receiveCode(portal, phone)
    expect(await tryCode(portal, { phone, code: fifth })).toMatchObject(refusal)

    await letTimePass(portal, phone, 24 * 60 * MINUTE)
    const nextDay = await receiveCode(portal, phone)
    expect((await tryCode(portal, { phone, code: nextDay })).status).toBe(200)
  })

  test('security row 10: correct attempts count for the day too; attempts at an expired code do not', async () => {
    const phone = aPhone()
    const code = await receiveCode(portal, phone)
    expect((await tryCode(portal, { phone, code })).status).toBe(200)
    for (let step = 1; step <= 30; step += 1) await tryCode(portal, { phone, code: wrongCode(code, step) })
    await letTimePass(portal, phone, 20 * MINUTE)
    const second = await receiveCode(portal, phone)
    expect((await tryCode(portal, { phone, code: second })).status).toBe(200)
    // With the two correct ones these are fifteen, the limit for unknown devices.
    for (const tries of [5, 5, 3]) {
      await letTimePass(portal, phone, 20 * MINUTE)
      const next = await receiveCode(portal, phone)
      for (let step = 1; step <= tries; step += 1)
        await tryCode(portal, { phone, code: wrongCode(next, step) })
    }
    await letTimePass(portal, phone, 20 * MINUTE)
    const last = await receiveCode(portal, phone)
    expect(await tryCode(portal, { phone, code: last })).toMatchObject(refusal)
  })

  test('security row 10: one address cannot kill a code, and a few cannot use up the day of a phone', async () => {
    const phone = aPhone()
    for (let round = 0; round < 5; round += 1) {
      const code = await receiveCode(portal, phone)
      for (let step = 1; step <= 10; step += 1) {
        const address = `198.51.100.${10 + (step % 3)}`
        const answer = await tryCode(portal, { phone, code: wrongCode(code, step), address })
        expect([422, 429]).toContain(answer.status)
      }
      await letTimePass(portal, phone, 20 * MINUTE)
    }
    const code = await receiveCode(portal, phone)
    expect(await tryCode(portal, { phone, code, address: '198.51.100.10' })).toMatchObject({ status: 429 })
    expect((await tryCode(portal, { phone, code, address: '203.0.113.50' })).status).toBe(200)
  })

  test('security row 10: four wrong tries of one address are a code’s, the fifth is not looked at', async () => {
    const phone = aPhone()
    const code = await receiveCode(portal, phone)
    const statuses: number[] = []
    for (let step = 1; step <= 12; step += 1) {
      const address = '::ffff:198.51.100.77'
      statuses.push((await tryCode(portal, { phone, code: wrongCode(code, step), address })).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, ...Array.from({ length: 8 }, () => 429)])
    // Written as IPv4 it is the same address.
    expect((await tryCode(portal, { phone, code, address: '198.51.100.77' })).status).toBe(429)
    expect((await tryCode(portal, { phone, code })).status).toBe(200)
  })

  test('security row 10: a known device has five attempts that unknown devices cannot use up', async () => {
    const player = await aPlayer(portal)
    const phone = await provePhone(portal, player)
    const login = await portal.call('POST', '/api/auth/login', {
      body: { username: player.username, password: player.password },
    })
    const device = /device=([^;]+)/.exec(String(login.headers['set-cookie']))?.[1] as string
    for (let round = 0; round < 3; round += 1) {
      const code = await receiveCode(portal, phone)
      for (let step = 1; step <= 5; step += 1) await tryCode(portal, { phone, code: wrongCode(code, step) })
      await letTimePass(portal, phone, 20 * MINUTE)
    }
    const code = await receiveCode(portal, phone)
    expect(await tryCode(portal, { phone, code })).toMatchObject(refusal)
    for (let step = 1; step <= 4; step += 1) {
      expect(await tryCode(portal, { phone, code: wrongCode(code, step), device })).toMatchObject(refusal)
    }
    expect((await tryCode(portal, { phone, code, device })).status).toBe(200)
    // The twentieth try was the day's last, also for the device.
    await letTimePass(portal, phone, 20 * MINUTE)
    const next = await receiveCode(portal, phone)
    expect(await tryCode(portal, { phone, code: next, device })).toMatchObject(refusal)
  })

  test('security row 10: a hundred addresses have at most 20 attempts a day at valid codes', async () => {
    const phone = aPhone()
    for (let round = 0; round < 8; round += 1) {
      const code = await receiveCode(portal, phone)
      const tries = Array.from({ length: 20 }, (_, step) =>
        tryCode(portal, { phone, code: wrongCode(code, step + 1), address: `100.${round}.${step}.1` }),
      )
      expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([422]))
      await letTimePass(portal, phone, 15 * MINUTE)
    }
    const target = await portal.deps.vault.hash('code target phone', canonicalPhone(phone))
    const row = await portal.db
      .selectFrom('one_time_code')
      .select('tries_today')
      .where('target', '=', target)
      .executeTakeFirstOrThrow()
    expect(row.tries_today).toBe(15)
  })

  test('security row 10: one address has 300 attempts an hour over all phones, then gets a waiting time', async () => {
    const address = '203.0.113.7'
    for (let step = 0; step < 300; step += 1) {
      expect((await tryCode(portal, { phone: aPhone(), code: '000000', address })).status).toBe(422)
    }
    const phone = aPhone()
    const code = await receiveCode(portal, phone)
    const limited = await tryCode(portal, { phone, code, address })
    expect(limited).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(3_000)
    // It had no effect, and other addresses are not touched.
    expect((await tryCode(portal, { phone, code, address: '203.0.113.8' })).status).toBe(200)
  })

  test('security row 10: a malformed code is refused as such and is not counted', async () => {
    const phone = aPhone()
    const code = await receiveCode(portal, phone)
    for (const wrong of ['', '12345', '1234567', ' 12345', '１２３４５６', `${code} `]) {
      expect(await tryCode(portal, { phone, code: wrong, address: '203.0.113.9' })).toMatchObject({
        status: 422,
        body: { code: 'VALIDATION' },
      })
    }
    expect((await tryCode(portal, { phone, code })).status).toBe(200)
  })
})
