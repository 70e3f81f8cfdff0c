import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#tests/support/app.ts'
import type { MailServer } from '#tests/support/mail-server.ts'
import {
  aPhone,
  anEmail,
  contactsOf,
  deliverMail,
  fromAnywhere,
  linkFor,
  proveEmail,
  provePhone,
  verifiedCode,
  startMailingApp,
} from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'

let server: MailServer
let portal: TestApp
let end: () => Promise<void>
beforeAll(async () => {
  ;({ server, portal, end } = await startMailingApp())
})
afterAll(() => end())

const post = (path: string, body: object) =>
  portal.call('POST', `/api/password/${path}`, { body, headers: fromAnywhere() })
const reset = (token: string | null, password = 'mat-khau-moi-1') => post('reset', { token, password })
const isAlive = async (token: string) =>
  (await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })).status === 200
const login = ({ username }: TestPlayer, password: string) =>
  portal.call('POST', '/api/auth/login', { body: { username, password }, headers: fromAnywhere() })

async function aPlayerWithEmail(): Promise<{ player: TestPlayer; email: string; token: string }> {
  const player = await aPlayer(portal)
  const email = anEmail()
  await proveEmail(portal, server, { player, email })
  const token = await linkFor(portal, server, { username: player.username, email })
  return { player, email, token: token! }
}

async function aPlayerWithPhone(): Promise<{ player: TestPlayer; phone: string }> {
  const phone = aPhone()
  return { player: await aPlayer(portal, { phone }), phone }
}

const tokenInvalid = {
  status: 422,
  body: expect.objectContaining({
    code: 'TOKEN_INVALID',
    message: 'Yêu cầu không hợp lệ, vui lòng gửi một yêu cầu mới',
    report: true,
  }),
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
    await portal.db.updateTable('user_contacts').set({ email }).where('user_id', '=', player.id).execute()
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
    expect(await post('reset-via-phone', { ...body, username: stranger.username })).toMatchObject(otpInvalid)
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
    const { player, token } = await aPlayerWithEmail()
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
    expect(answers.filter(({ status, body }) => status === 422 && body.code === 'OTP_INVALID')).toHaveLength(
      63,
    )
    const winner = answers.findIndex(({ status }) => status === 200)
    expect((await login(player, `mat-khau-${winner}`)).status).toBe(200)
  })
})
