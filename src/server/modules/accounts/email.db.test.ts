import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#tests/support/app.ts'
import type { MailServer } from '#tests/support/mail-server.ts'
import {
  aPhone,
  anEmail,
  contactsOf,
  deliverMail,
  mailedCode,
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

const call = (player: TestPlayer, path: string, body: object) =>
  portal.call('POST', `/api/email/${path}`, { token: player.token, body })
const codeTo = (player: TestPlayer, email: string) => mailedCode(portal, server, { player, email })
const userOf = async (player: TestPlayer) =>
  (await portal.call('POST', '/api/auth/verify', { body: { access_token: player.token } })).body

async function aPlayerWithEmail(): Promise<{ player: TestPlayer; email: string }> {
  const player = await aPlayer(portal)
  const email = anEmail()
  await proveEmail(portal, server, { player, email })
  return { player, email }
}

const otpInvalid = (field: string) => ({
  status: 422,
  body: expect.objectContaining({
    code: 'OTP_INVALID',
    report: true,
    errors: { [field]: ['Mã OTP không chính xác hoặc đã hết hạn'] },
  }),
})

describe('a code by mail', () => {
  test('goes to the address that was asked for, with how long it is good', async () => {
    const player = await aPlayer(portal)
    const email = anEmail()
    const answer = await call(player, 'send-otp', { email })
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Đã gửi mã OTP đến email của bạn. Mã có hiệu lực trong 10 phút.', notify: true },
    })
    expect(server.to(email)).toEqual([])
    await deliverMail(portal)
    const [letter] = server.to(email)
    expect(letter?.text).toMatch(/Mã OTP: \d{6}\n/)
    expect(letter?.text).toContain('Mã có hiệu lực trong 10 phút')
    expect(letter?.subject).not.toMatch(/\d{6}/)
  })

  test('goes to the player’s own address when it is given masked, as the site shows it', async () => {
    const { player, email } = await aPlayerWithEmail()
    const { email: masked } = await userOf(player)
    expect(masked).toContain('***')
    const before = server.to(email).length
    expect((await call(player, 'send-otp', { email: masked })).status).toBe(200)
    await deliverMail(portal)
    expect(server.to(email)).toHaveLength(before + 1)
  })

  test.each(['n***@khac.test', 'khong-phai-email', 'a@b', 'a@thu.test\r\nBcc: b@thu.test', ''])(
    'goes nowhere for %j',
    async (email) => {
      const player = await aPlayer(portal)
      const answer = await call(player, 'send-otp', { email })
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'VALIDATION', errors: { email: expect.any(Array) } },
      })
    },
  )

  test('is no more than five an hour to one mailbox, whoever asks', async () => {
    const email = anEmail()
    const statuses = []
    for (let count = 0; count < 6; count++) {
      statuses.push((await call(await aPlayer(portal), 'send-otp', { email })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    const limited = await call(await aPlayer(portal), 'send-otp', { email: email.toUpperCase() })
    expect(limited).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(3_000)
  })

  test('is no more than ten an hour for one player, however many addresses they name', async () => {
    const player = await aPlayer(portal)
    const statuses = []
    for (let count = 0; count < 11; count++)
      statuses.push((await call(player, 'send-otp', { email: anEmail() })).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })
})

describe('an address', () => {
  test('is proved by the code that went to it, and only once', async () => {
    const player = await aPlayer(portal)
    const email = anEmail()
    await portal.db.updateTable('user_contacts').set({ email }).where('user_id', '=', player.id).execute()
    const code = await codeTo(player, email)
    const answer = await call(player, 'verify', { code })
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Đã xác thực email của bạn.', notify: true },
    })
    expect(await contactsOf(portal, player.id)).toMatchObject({ email, isEmailVerified: true })
    expect((await userOf(player)).email_verified).toBe(true)
    expect(await call(player, 'verify', { code })).toMatchObject(otpInvalid('code'))
  })

  test('is not proved without one, nor by the code of another address, another player, or ten minutes ago', async () => {
    const player = await aPlayer(portal)
    expect(await call(player, 'verify', { code: '123456' })).toMatchObject(otpInvalid('code'))
    const email = anEmail()
    await portal.db.updateTable('user_contacts').set({ email }).where('user_id', '=', player.id).execute()

    const ofAnotherAddress = await codeTo(player, anEmail())
    const ofAnotherPlayer = await codeTo(await aPlayer(portal), email)
    for (const code of [ofAnotherAddress, ofAnotherPlayer]) {
      expect(await call(player, 'verify', { code })).toMatchObject(otpInvalid('code'))
    }
    const old = await codeTo(player, email)
    await sql`UPDATE one_time_code SET made_at = made_at - interval '10 minutes'`.execute(portal.db)
    expect(await call(player, 'verify', { code: old })).toMatchObject(otpInvalid('code'))
    expect(await contactsOf(portal, player.id)).toMatchObject({ isEmailVerified: false })
  })

  test('may be set without more by a player who has proved nothing yet', async () => {
    const player = await aPlayer(portal)
    const email = anEmail()
    const answer = await call(player, 'update', { newEmail: email, newEmailOtp: await codeTo(player, email) })
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Đã cập nhật email của bạn.', notify: true },
    })
    expect(await contactsOf(portal, player.id)).toMatchObject({ email, isEmailVerified: true })
  })

  test('may be that of several accounts', async () => {
    const { email } = await aPlayerWithEmail()
    const brother = await aPlayer(portal)
    await proveEmail(portal, server, { player: brother, email })
    expect(await contactsOf(portal, brother.id)).toMatchObject({ email, isEmailVerified: true })
  })

  test('is not changed to the one it is', async () => {
    const { player, email } = await aPlayerWithEmail()
    const answer = await call(player, 'update', { otp: '123456', newEmail: email, newEmailOtp: '123456' })
    expect(answer.body).toMatchObject({
      code: 'VALIDATION',
      errors: { newEmail: ['Bạn đang dùng email này rồi'] },
    })
  })

  test('changes with both codes and leaves its row in the trail, the addresses apart', async () => {
    const { player, email } = await aPlayerWithEmail()
    const newEmail = anEmail()
    const otp = await codeTo(player, email)
    const newEmailOtp = await codeTo(player, newEmail)
    expect((await call(player, 'update', { otp, newEmail, newEmailOtp })).status).toBe(200)
    const row = await portal.db
      .selectFrom('audit_log')
      .innerJoin('audit_personal', 'audit_personal.seq', 'audit_log.seq')
      .select(['action', 'details', 'content', 'request_id'])
      .where('subject_id', '=', player.id)
      .orderBy('audit_log.seq', 'desc')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      action: 'users.change-email',
      details: {},
      content: { before: email, after: newEmail },
      request_id: expect.any(String),
    })
  })

  test('of a player with a proved phone and no proved address wants the phone’s code', async () => {
    const player = await aPlayer(portal)
    const phone = aPhone()
    await provePhone(portal, { player, phone })
    const newEmail = anEmail()
    const newEmailOtp = await codeTo(player, newEmail)
    const without = await call(player, 'update', { newEmail, newEmailOtp })
    expect(without).toMatchObject({ status: 422, body: { code: 'OTP_REQUIRED' } })
    const wrong = await call(player, 'update', { otp: '000000', newEmail, newEmailOtp })
    expect(wrong).toMatchObject(otpInvalid('otp'))
    const otp = await verifiedCode(portal, phone)
    expect((await call(player, 'update', { otp, newEmail, newEmailOtp })).status).toBe(200)
    expect(await contactsOf(portal, player.id)).toMatchObject({ email: newEmail, isEmailVerified: true })
  })

  test('changes once when 16 calls bring the same codes', async () => {
    const { player, email } = await aPlayerWithEmail()
    const newEmail = anEmail()
    const body = { otp: await codeTo(player, email), newEmail, newEmailOtp: await codeTo(player, newEmail) }
    const answers = await Promise.all(Array.from({ length: 16 }, () => call(player, 'update', body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await deliverMail(portal)
    expect(server.to(email).filter(({ subject }) => subject?.includes('thay đổi'))).toHaveLength(1)
  })

  test('is not set by the right code after five wrong ones', async () => {
    const player = await aPlayer(portal)
    const newEmail = anEmail()
    const code = await codeTo(player, newEmail)
    for (let wrong = 1; wrong <= 5; wrong++) {
      const guess = String((Number(code) + wrong) % 1_000_000).padStart(6, '0')
      expect(await call(player, 'update', { newEmail, newEmailOtp: guess })).toMatchObject(
        otpInvalid('newEmailOtp'),
      )
    }
    expect(await call(player, 'update', { newEmail, newEmailOtp: code })).toMatchObject(
      otpInvalid('newEmailOtp'),
    )
  })

  test('is not guessed: twenty tries a day, new codes or not', async () => {
    const player = await aPlayer(portal)
    const email = anEmail()
    await portal.db.updateTable('user_contacts').set({ email }).where('user_id', '=', player.id).execute()
    const codes = new Map<string, number>()
    for (let count = 0; count < 21; count++) {
      if (count % 5 === 0 && count < 20) await codeTo(player, email)
      const { body } = await call(player, 'verify', { code: String(count).padStart(6, '0') })
      codes.set(body.code, (codes.get(body.code) ?? 0) + 1)
    }
    expect(codes.get('RATE_LIMITED')).toBe(1)
    expect(codes.get('OTP_INVALID')).toBe(20)
  })
})
