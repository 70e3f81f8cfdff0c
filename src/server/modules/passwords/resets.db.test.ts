import { lastTrailRow } from '#tests/support/trail-rows.ts'
import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { grantRole } from '#server/modules/accounts/index.ts'
import { consumeAll } from '#server/platform/limits/limits.ts'
import {
  anEmail,
  deliverMail,
  fromAnywhere,
  linkFor,
  proveEmail,
  aPhone,
  contactsOf,
  provePhone,
  verifiedCode,
  giveEmail,
} from '#tests/support/mail.ts'
import { useMailingApp } from '#tests/support/fixtures.ts'
import { aPlayer, type TestPlayer, appCode, turnOnSecondFactor } from '#tests/support/players.ts'
import { RESETS_PER_ADDRESS } from './link-requests.service.ts'
import { removeOldLinks } from './resets.queries.ts'

const { portal, server, aPlayerWithEmail } = useMailingApp()

const post = (path: string, body: object) =>
  portal.call('POST', `/api/password/${path}`, { body, headers: fromAnywhere() })
const reset = (token: string | null, password = 'mat-khau-moi-1') => post('reset', { token, password })
const isAlive = async (token: string) =>
  (await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })).status === 200
const login = ({ username }: TestPlayer, password: string) =>
  portal.call('POST', '/api/auth/login', { body: { username, password }, headers: fromAnywhere() })

async function aPlayerWithLink(): Promise<{ player: TestPlayer; email: string; token: string }> {
  const { player, email } = await aPlayerWithEmail()
  const token = await linkFor(portal, server, { username: player.username, email })
  return { player, email, token: token! }
}

const tokenInvalid = {
  status: 422,
  body: expect.objectContaining({
    code: 'TOKEN_INVALID',
    message: 'Yêu cầu không hợp lệ, vui lòng gửi một yêu cầu mới',
    report: true,
  }),
}

describe('a forgotten password, by e-mail', () => {
  test('cannot be reset without a token: a new request is needed', async () => {
    for (const body of [{ password: 'mat-khau-moi-1' }, { password: 'mat-khau-moi-1', token: null }]) {
      expect(await post('reset', body)).toMatchObject({
        status: 422,
        body: { errors: { token: ['Yêu cầu không hợp lệ, vui lòng gửi một yêu cầu mới'] } },
      })
    }
  })

  test('is set by the mailed link; the player is signed in and all other sessions end', async () => {
    const { player, email, token } = await aPlayerWithLink()
    const other = (await login(player, player.password)).body.access_token
    const answer = await reset(token)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        message: 'Đặt lại mật khẩu thành công. Các thiết bị khác đã được đăng xuất.',
      },
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await Promise.all([answer.body.access_token, player.token, other].map(isAlive))).toEqual([
      true,
      false,
      false,
    ])
    expect((await login(player, player.password)).body.code).toBe('INVALID_CREDENTIALS')
    expect((await login(player, 'mat-khau-moi-1')).status).toBe(200)
    await deliverMail(portal)
    const notice = server.to(email).find(({ subject }) => subject === 'Mật khẩu của bạn vừa được đặt lại')
    expect(notice?.text).toContain(player.username)
  })

  test('a link can be checked without being used up', async () => {
    const { token } = await aPlayerWithLink()
    const isValid = async (request: string) => (await post('check-link', { token: request })).body
    expect(await isValid(token)).toEqual({ is_valid: true })
    expect(await isValid(token)).toEqual({ is_valid: true })
    expect((await reset(token)).status).toBe(200)
    expect(await isValid(token)).toEqual({ is_valid: false })
    expect(await isValid('khong-phai-ma')).toEqual({ is_valid: false })
  })

  test('may be requested by an address that was never proved, whatever the case of its letters', async () => {
    const player = await aPlayer(portal)
    const email = anEmail()
    await giveEmail(portal, player, email)
    await post('request', { username: player.username.toUpperCase(), email: email.toUpperCase() })
    await deliverMail(portal)
    expect(server.to(email).at(-1)?.text).toContain('/password/')
  })

  test('brings no letter when name and address do not belong together', async () => {
    const { player, email } = await aPlayerWithLink()
    const other = await aPlayerWithLink()
    const before = server.letters.length
    for (const request of [
      { username: player.username, email: other.email },
      { username: player.username, email: anEmail() },
      { username: 'khongcoai', email },
    ]) {
      expect((await post('request', request)).status).toBe(200)
    }
    await deliverMail(portal)
    expect(server.letters).toHaveLength(before)
    expect(await portal.db.selectFrom('password_request').select('id').execute()).toEqual([])
  })

  test('leaves the old password when the new one does not fit, and the link still opens', async () => {
    const { player, token } = await aPlayerWithLink()
    for (const password of ['12345', 'password', player.username]) {
      const answer = await reset(token, password)
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'VALIDATION', errors: { password: expect.any(Array) } },
      })
    }
    expect((await login(player, player.password)).status).toBe(200)
    expect((await reset(token)).status).toBe(200)
  })

  test('opens nothing when the account has another address by now', async () => {
    const { player, token } = await aPlayerWithLink()
    await portal.db
      .updateTable('user_contacts')
      .set({ email: anEmail() })
      .where('user_id', '=', player.id)
      .execute()
    expect(await reset(token)).toMatchObject(tokenInvalid)
  })

  test('takes twelve characters of an operator', async () => {
    const { player, token } = await aPlayerWithLink()
    await grantRole(portal.db, { username: player.username, role: 'editor' })
    const short = await reset(token, 'mười-một-ch')
    expect(short.body).toMatchObject({
      code: 'VALIDATION',
      errors: { password: ['Mật khẩu của người vận hành phải có ít nhất 12 ký tự'] },
    })
    expect((await reset(token, 'mười-hai-chữ')).status).toBe(200)
  })

  test('leaves its row in the trail', async () => {
    const { player, token } = await aPlayerWithLink()
    await reset(token)
    const rows = { action: 'users.reset-password', id: player.id }
    expect(await lastTrailRow(portal, rows)).toMatchObject({
      actor_id: player.id,
      details: { way: 'email', sessions_ended: 1 },
      request_id: expect.any(String),
    })
  })

  test('of the links, those that open nothing any more are cleared away', async () => {
    const { player, token } = await aPlayerWithLink()
    expect(await removeOldLinks(portal.deps)).toBe(false)
    const links = portal.db.selectFrom('password_reset').select('user_id').where('user_id', '=', player.id)
    const count = async () => (await links.execute()).length
    expect(await count()).toBe(1)
    await sql`UPDATE password_reset SET made_at = made_at - interval '31 minutes'`.execute(portal.db)
    await removeOldLinks(portal.deps)
    expect(await count()).toBe(0)
    expect(await reset(token)).toMatchObject(tokenInvalid)
  })
})

describe('requests for a link', () => {
  test('are five an hour for one name and address, and for those that do not exist as well', async () => {
    const { player, email } = await aPlayerWithLink()
    for (const [request, first] of [
      [{ username: player.username, email }, 1],
      [{ username: 'khongcoaica', email: anEmail() }, 0],
    ] as const) {
      const statuses = []
      for (let count = first; count < 6; count++) statuses.push((await post('request', request)).status)
      expect(statuses).toEqual([...Array.from({ length: 5 - first }, () => 200), 429])
    }
  })

  test('for the same mailbox send five mails an hour, and do not report that there are no more', async () => {
    const email = anEmail()
    const players = []
    for (let count = 0; count < 7; count++) {
      const player = await aPlayer(portal)
      await giveEmail(portal, player, email)
      players.push(player)
    }
    for (const { username } of players) expect((await post('request', { username, email })).status).toBe(200)
    await deliverMail(portal)
    expect(server.to(email)).toHaveLength(5)
    expect(await portal.db.selectFrom('password_request').select('id').execute()).toEqual([])
  })

  test('are limited by where they come from', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const resetBy = (count: number) =>
      portal.call('POST', '/api/password/request', {
        body: { username: `nguoi${count}`, email: `nguoi${count}@thu.test` },
        headers,
      })
    expect((await resetBy(0)).status).toBe(200)
    for (let count = 1; count < 1_000; count++) {
      await consumeAll(portal.deps.limits, RESETS_PER_ADDRESS, '203.0.113.7')
    }
    const limited = await resetBy(1)
    expect(limited).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(limited.headers['retry-after']).toBeDefined()
    await portal.db.deleteFrom('password_request').execute()
  })

  test('are stored sealed until they are answered, and only for half an hour', async () => {
    const request = { username: 'mainguyet', email: anEmail() }
    await post('request', request)
    const [row] = await portal.db.selectFrom('password_request').select('sealed').execute()
    for (const secret of [request.username, request.email]) {
      expect(row?.sealed.toString('latin1')).not.toContain(secret)
    }
    await sql`UPDATE password_request SET created_at = created_at - interval '31 minutes', sealed = 'x'`.execute(
      portal.db,
    )
    await deliverMail(portal)
    expect(await portal.db.selectFrom('password_request').select('id').execute()).toEqual([])
    expect(portal.logged()).toContain('password.request-dropped')
  })

  test('link and token are in no table and no log', async () => {
    const { token } = await aPlayerWithLink()
    const { rows } = await sql<{ hash: string }>`
      SELECT encode(token_hash, 'hex') AS hash FROM password_reset`.execute(portal.db)
    expect(rows.map(({ hash }) => hash)).toContain(createHash('sha256').update(token).digest('hex'))
    await reset(token)
    expect(portal.logged()).not.toContain(token)
  })
})

describe('a second factor', () => {
  const NEXT = 'mat-khau-moi-12'

  const resetWith = (token: string, otp?: string) => post('reset', { token, password: NEXT, otp })

  test('a mailed link does not pass by the second factor, and stays good until its code comes', async () => {
    const { player, token } = await aPlayerWithLink()
    const { secret } = await turnOnSecondFactor(portal, player.token)

    expect((await resetWith(token)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await resetWith(token, '000000')).body.code).toBe('OTP_INVALID')
    // The old password is still the right one: after it the second factor is required.
    expect((await login(player, player.password)).body.code).toBe('SECOND_FACTOR_REQUIRED')

    const done = await resetWith(token, appCode(secret, 1))
    expect(done.status).toBe(200)
    expect((await login(player, player.password)).body.code).toBe('INVALID_CREDENTIALS')
    expect((await login(player, NEXT)).body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  test('nor does it by way of somebody else’s code or a link without one', async () => {
    const { player, token } = await aPlayerWithLink()
    const stranger = await aPlayer(portal)
    await turnOnSecondFactor(portal, player.token)
    const { secret } = await turnOnSecondFactor(portal, stranger.token)
    for (const otp of [appCode(secret, 1), '', undefined]) {
      expect(['OTP_INVALID', 'SECOND_FACTOR_REQUIRED']).toContain((await resetWith(token, otp)).body.code)
    }
    const stillMine = await portal.call('GET', '/api/auth/sessions', { token: player.token })
    expect(stillMine.status).toBe(200)
  })
})

describe('by phone', () => {
  async function aPlayerWithPhone(): Promise<{ player: TestPlayer; phone: string }> {
    const phone = aPhone()
    return { player: await aPlayer(portal, { phone }), phone }
  }

  const otpInvalid = { status: 422, body: expect.objectContaining({ code: 'OTP_INVALID' }) }

  describe('a forgotten password, by phone', () => {
    test('is set by the phone’s verified code, which also verifies the phone', async () => {
      const { player, phone } = await aPlayerWithPhone()
      const email = anEmail()
      await proveEmail(portal, server, { player, email })
      const code = await verifiedCode(portal, phone)
      const dialled = phone.replace(/^84/, '0')
      const answer = await post('reset-via-phone', {
        username: player.username.toUpperCase(),
        phone: dialled,
        password: 'mat-khau-moi-2',
        code,
      })
      expect(answer).toMatchObject({
        status: 200,
        body: { access_token: expect.any(String), message: expect.any(String) },
      })
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(await contactsOf(portal, player.id)).toMatchObject({ phone, isPhoneVerified: true })
      expect(await isAlive(player.token)).toBe(false)
      expect(await isAlive(answer.body.access_token)).toBe(true)
      expect((await login(player, 'mat-khau-moi-2')).status).toBe(200)
      await deliverMail(portal)
      const notice = server.to(email).find(({ subject }) => subject === 'Mật khẩu của bạn vừa được đặt lại')
      expect(notice?.text).toContain('mã OTP gửi đến số điện thoại')
    })

    test('sends no mail to an unverified address', async () => {
      const { player, phone } = await aPlayerWithPhone()
      const email = anEmail()
      await giveEmail(portal, player, email)
      const code = await verifiedCode(portal, phone)
      expect(
        (await post('reset-via-phone', { username: player.username, phone, password: 'mat-khau-moi', code }))
          .status,
      ).toBe(200)
      await deliverMail(portal)
      expect(server.to(email)).toEqual([])
    })

    test('is refused with a code that was not verified, was spent, or is another phone’s', async () => {
      const { player, phone } = await aPlayerWithPhone()
      const body = { username: player.username, phone, password: 'mat-khau-moi' }
      expect(await post('reset-via-phone', { ...body, code: '123456' })).toMatchObject(otpInvalid)
      const ofAnother = await verifiedCode(portal, aPhone())
      expect(await post('reset-via-phone', { ...body, code: ofAnother })).toMatchObject(otpInvalid)
      const code = await verifiedCode(portal, phone)
      expect((await post('reset-via-phone', { ...body, code })).status).toBe(200)
      expect(await post('reset-via-phone', { ...body, code })).toMatchObject(otpInvalid)
    })

    test('is refused for an account that has another phone; the code stays for its own', async () => {
      const { player, phone } = await aPlayerWithPhone()
      const stranger = await aPlayer(portal)
      const code = await verifiedCode(portal, phone)
      const body = { phone, password: 'mat-khau-moi', code }
      expect(await post('reset-via-phone', { ...body, username: stranger.username })).toMatchObject(
        otpInvalid,
      )
      expect(await isAlive(stranger.token)).toBe(true)
      expect((await post('reset-via-phone', { ...body, username: player.username })).status).toBe(200)
    })

    test('is refused even with the right code after five wrong ones', async () => {
      const { player, phone } = await aPlayerWithPhone()
      const code = await verifiedCode(portal, phone)
      const body = { username: player.username, phone, password: 'mat-khau-moi' }
      for (let wrong = 1; wrong <= 5; wrong++) {
        const guess = String((Number(code) + wrong) % 1_000_000).padStart(6, '0')
        expect(await post('reset-via-phone', { ...body, code: guess })).toMatchObject(otpInvalid)
      }
      expect(await post('reset-via-phone', { ...body, code })).toMatchObject(otpInvalid)
    })

    test('a link that was mailed before opens nothing afterwards', async () => {
      const { player, token } = await aPlayerWithLink()
      const phone = aPhone()
      await provePhone(portal, { player, phone })
      const code = await verifiedCode(portal, phone)
      const body = { username: player.username, phone, password: 'mat-khau-moi', code }
      expect((await post('reset-via-phone', body)).status).toBe(200)
      expect(await reset(token)).toMatchObject(tokenInvalid)
    })

    test('happens once when 64 calls bring one code', async () => {
      const { player, phone } = await aPlayerWithPhone()
      const code = await verifiedCode(portal, phone)
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          post('reset-via-phone', { username: player.username, phone, password: `mat-khau-${index}`, code }),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(
        answers.filter(({ status, body }) => status === 422 && body.code === 'OTP_INVALID'),
      ).toHaveLength(63)
      const winner = answers.findIndex(({ status }) => status === 200)
      expect((await login(player, `mat-khau-${winner}`)).status).toBe(200)
    })
  })
})
