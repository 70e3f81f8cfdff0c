import { trailRows } from '#tests/support/trail-rows.ts'
import { describe, expect } from 'vitest'
import { grantRole } from '#server/modules/accounts/index.ts'
import { endConsoleSessionsOf } from '#server/modules/sessions/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer, appCode, turnOnSecondFactor } from '#tests/support/players.ts'
import { acceptProof, checkSecondFactor, dropSecondFactor } from './index.ts'
import { findSecondFactor, markConfirmed } from './second-factor.queries.ts'

const portal = useTestApp()
const test = testWith(portal)

const login = ({ username, password }: TestPlayer, otp?: string) =>
  portal.call('POST', '/api/auth/login', { body: { username, password, otp } })
const start = (token: string) => portal.call('POST', '/api/user/second-factor', { token })
const confirm = (token: string, code: string) =>
  portal.call('POST', '/api/user/second-factor/confirm', { token, body: { code } })
const remove = (token: string, code: string) =>
  portal.call('DELETE', '/api/user/second-factor', { token, body: { code } })
const stateOf = async (token: string) =>
  (await portal.call('GET', '/api/user/second-factor', { token })).body as unknown

async function aPlayerWithIt() {
  const player = await aPlayer(portal)
  return { player, ...(await turnOnSecondFactor(portal, player.token)) }
}

const sessionsOf = async (userId: string) =>
  (await portal.db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()).length

const trail = async (id: string) =>
  (await trailRows(portal, { id })).filter(({ action }) => action.startsWith('second-factor.'))

/** As if five minutes had passed: only the day's count is left. */
const clearShortLimits = () =>
  portal.db.deleteFrom('rate_limit').where('key', 'not like', 'second-factor-day:%').execute()

describe('turning it on', () => {
  test('takes a code of the new secret, and gives ten recovery codes this once', async ({ player }) => {
    const { status, body } = await start(player.token)
    expect(status).toBe(200)
    expect(body.uri).toContain(`otpauth://totp/Tinh%20Hoa%20Ninja:${player.username}?`)
    expect(await stateOf(player.token)).toEqual({ is_on: false, recovery_codes_left: 0 })
    expect((await login(player)).status).toBe(200)

    const confirmed = await confirm(player.token, appCode(body.secret))
    expect(confirmed.status).toBe(200)
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10)
    for (const code of confirmed.body.recovery_codes) expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/)
    expect(confirmed.headers['cache-control']).toBe('no-store')
    expect(await stateOf(player.token)).toEqual({ is_on: true, recovery_codes_left: 10 })
  })

  test('does not happen by a wrong code, nor by one of a secret that was replaced', async ({ player }) => {
    const first = (await start(player.token)).body.secret
    await start(player.token)
    for (const code of [appCode(first), '000000', 'không phải mã']) {
      expect((await confirm(player.token, code)).body.code).toBe('OTP_INVALID')
    }
    expect(await stateOf(player.token)).toEqual({ is_on: false, recovery_codes_left: 0 })
  })

  test('needs a set-up, and is done once', async ({ player }) => {
    expect((await confirm(player.token, '123456')).body.code).toBe('CONFLICT')
    const { secret } = await turnOnSecondFactor(portal, player.token)
    expect((await start(player.token)).body.code).toBe('CONFLICT')
    expect((await confirm(player.token, appCode(secret, 1))).body.code).toBe('CONFLICT')
  })

  test('64 times at once happens once, with ten recovery codes in all', async ({ player }) => {
    const { secret } = (await start(player.token)).body
    const code = appCode(secret)
    const answers = await Promise.all(Array.from({ length: 64 }, () => confirm(player.token, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await stateOf(player.token)).toEqual({ is_on: true, recovery_codes_left: 10 })
  })

  test('confirms no secret that was replaced after its code was found right', async ({ player }) => {
    await start(player.token)
    const stale = await findSecondFactor(portal.db, player.id)
    await start(player.token)
    const { userId, sealedSecret } = stale!
    const confirmed = await inTransaction(portal.db, (tx) =>
      markConfirmed(tx, { userId, sealedSecret, step: 1 }),
    )
    expect([confirmed, await stateOf(player.token)]).toEqual([
      false,
      { is_on: false, recovery_codes_left: 0 },
    ])
  })

  test('leaves the secret sealed and the recovery codes hashed', async () => {
    const { player, secret, recoveryCodes } = await aPlayerWithIt()
    const of = (table: 'second_factor' | 'recovery_code') =>
      portal.db.selectFrom(table).selectAll().where('user_id', '=', player.id).execute()
    const text = (await Promise.all([of('second_factor'), of('recovery_code')]))
      .flat()
      .flatMap((row) => Object.values(row))
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join('\n')
    expect(text).not.toContain(secret)
    for (const code of recoveryCodes) expect(text).not.toContain(code.replace('-', ''))
  })

  test('is recorded in the audit trail and mailed to the verified address', async ({ player }) => {
    await giveVerifiedEmail(portal, player.id, 'bat.hai.lop@example.com')
    const { secret } = await turnOnSecondFactor(portal, player.token)
    expect((await remove(player.token, appCode(secret, 1))).status).toBe(204)
    expect((await lettersTo(portal, 'bat.hai.lop@example.com')).map(({ kind }) => kind)).toEqual([
      'second-factor-on',
      'second-factor-off',
    ])
    expect(await trail(player.id)).toMatchObject([
      { action: 'second-factor.enable', actor_kind: 'user', request_id: expect.any(String) },
      { action: 'second-factor.remove', actor_kind: 'user', request_id: expect.any(String) },
    ])
  })
})

describe('signing in with it', () => {
  test('requires a code after the right password, and opens no session until then', async () => {
    const { player, secret } = await aPlayerWithIt()
    const before = await sessionsOf(player.id)
    for (const otp of [undefined, '', '   ']) {
      const answer = await login(player, otp)
      expect([answer.status, answer.body.code]).toEqual([422, 'SECOND_FACTOR_REQUIRED'])
    }
    const wrong = await login(player, '000000')
    expect([wrong.status, wrong.body.code]).toEqual([422, 'OTP_INVALID'])
    expect(await sessionsOf(player.id)).toBe(before)
    const answer = await login(player, appCode(secret, 1))
    expect(answer.status).toBe(200)
    expect(await sessionsOf(player.id)).toBe(before + 1)
  })

  test('is not revealed without the password', async () => {
    const { player, secret } = await aPlayerWithIt()
    const stranger = await aPlayer(portal)
    const code = appCode(secret, 1)
    const answers = [
      await login({ ...player, password: 'sai-mat-khau' }, code),
      await login({ ...player, password: 'sai-mat-khau' }),
      await login({ ...stranger, password: 'sai-mat-khau' }),
    ]
    for (const { status, body } of answers) {
      expect({ status, ...body }).toEqual({
        status: 422,
        code: 'INVALID_CREDENTIALS',
        message: 'Tên đăng nhập hoặc mật khẩu không chính xác',
        requestId: expect.any(String),
      })
    }
    // And the code was not used up.
    expect((await login(player, code)).status).toBe(200)
  })

  test('takes a code once, and not the one that turned it on', async () => {
    const { player, secret, code: first } = await aPlayerWithIt()
    expect((await login(player, first)).body.code).toBe('OTP_INVALID')
    const code = appCode(secret, 1)
    expect((await login(player, code)).status).toBe(200)
    expect((await login(player, code)).body.code).toBe('OTP_INVALID')
  })

  test('takes the code of now, once, also where a clock that was a day ahead took one', async () => {
    const { player, secret } = await aPlayerWithIt()
    const aDayAhead = Math.floor(Date.now() / 30_000) + 2_900
    await portal.db
      .updateTable('second_factor')
      .set({ last_step: aDayAhead })
      .where('user_id', '=', player.id)
      .execute()
    const code = appCode(secret)
    expect((await login(player, code)).status).toBe(200)
    expect((await login(player, code)).body.code).toBe('OTP_INVALID')
  })

  test.each(['app', 'recovery'] as const)('with one %s code 64 times at once happens once', async (kind) => {
    const { player, secret, recoveryCodes } = await aPlayerWithIt()
    const code = kind === 'app' ? appCode(secret, 1) : (recoveryCodes[0] as string)
    const before = await sessionsOf(player.id)
    const answers = await Promise.all(Array.from({ length: 64 }, () => login(player, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessionsOf(player.id)).toBe(before + 1)
  })

  test.each(['app', 'recovery'] as const)('with one %s code checked twice takes it once', async (kind) => {
    const { player, secret, recoveryCodes } = await aPlayerWithIt()
    const code = kind === 'app' ? appCode(secret, 1) : recoveryCodes[0]
    const check = () => checkSecondFactor(portal.deps, { userId: player.id, code })
    const proofs = [await check(), await check()]
    const taken = await Promise.all(
      proofs.map((proof) => inTransaction(portal.db, (tx) => acceptProof(tx, { userId: player.id, proof }))),
    )
    expect(taken.toSorted()).toEqual([false, true])
  })

  test('takes each recovery code once, however it is typed', async () => {
    const { player, recoveryCodes } = await aPlayerWithIt()
    const typed = ` ${recoveryCodes[3]!.toLowerCase().replace('-', ' ')} `
    expect((await login(player, typed)).status).toBe(200)
    expect((await login(player, recoveryCodes[3])).body.code).toBe('OTP_INVALID')
    expect((await login(player, recoveryCodes[4])).status).toBe(200)
    expect(await stateOf(player.token)).toEqual({ is_on: true, recovery_codes_left: 8 })
  })

  test('refuses another player’s code', async () => {
    const [mine, theirs] = [await aPlayerWithIt(), await aPlayerWithIt()]
    for (const code of [appCode(theirs.secret, 1), theirs.recoveryCodes[0]]) {
      expect((await login(mine.player, code)).body.code).toBe('OTP_INVALID')
    }
  })
})

describe('guessing', () => {
  test('ends after five wrong codes in five minutes, and the right one has to wait then too', async () => {
    const { player, secret } = await aPlayerWithIt()
    for (let guess = 0; guess < 5; guess++) {
      expect((await login(player, `00000${guess}`)).body.code).toBe('OTP_INVALID')
    }
    const refused = await login(player, appCode(secret, 1))
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(200)
    expect((await remove(player.token, appCode(secret, 1))).status).toBe(429)
  })

  test('ends after twenty wrong codes in a day', async () => {
    const { player, secret } = await aPlayerWithIt()
    for (let guess = 0; guess < 20; guess++) {
      if (guess % 5 === 0) await clearShortLimits()
      expect((await login(player, `0000${10 + guess}`)).body.code).toBe('OTP_INVALID')
    }
    await clearShortLimits()
    const refused = await login(player, appCode(secret, 1))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
  })

  test('is not confused with many right codes', async () => {
    const { player, recoveryCodes } = await aPlayerWithIt()
    for (const code of recoveryCodes) expect((await login(player, code)).status).toBe(200)
  })
})

describe('turning it off', () => {
  test('takes a code; afterwards the password is enough, and it can be turned on again', async () => {
    const { player, secret } = await aPlayerWithIt()
    expect((await remove(player.token, '000000')).body.code).toBe('OTP_INVALID')
    expect((await remove(player.token, appCode(secret, 1))).status).toBe(204)
    expect(await stateOf(player.token)).toEqual({ is_on: false, recovery_codes_left: 0 })
    expect((await remove(player.token, appCode(secret, 1))).body.code).toBe('CONFLICT')
    expect((await login(player)).status).toBe(200)
    await turnOnSecondFactor(portal, player.token)
    expect((await login(player)).body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  test('works by a recovery code too', async () => {
    const { player, recoveryCodes } = await aPlayerWithIt()
    expect((await remove(player.token, recoveryCodes[9]!)).status).toBe(204)
  })

  test('is refused to operators', async () => {
    const { player, secret } = await aPlayerWithIt()
    await grantRole(portal.db, { username: player.username, role: 'editor' })
    const answer = await remove(player.token, appCode(secret, 1))
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
    expect(answer.body.message).toMatch(/^Người vận hành phải luôn bật xác thực hai lớp/)
    expect(await stateOf(player.token)).toMatchObject({ is_on: true })
  })

  test('is done by the command line for players who lost app and codes, operators too', async () => {
    const { player } = await aPlayerWithIt()
    await grantRole(portal.db, { username: player.username, role: 'owner' })
    const deps = { ...portal.deps, endConsoleSessionsOf }
    expect(await dropSecondFactor(deps, player.id)).toBe('removed')
    expect(await dropSecondFactor(deps, player.id)).toBe('was-off')
    expect((await login(player)).status).toBe(200)
    expect((await trail(player.id)).at(-1)).toMatchObject({
      action: 'second-factor.remove',
      actor_kind: 'system',
    })
  })
})
