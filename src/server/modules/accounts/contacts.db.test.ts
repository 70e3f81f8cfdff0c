import { lastTrailRow } from '#tests/support/trail-rows.ts'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import {
  aPhone,
  anEmail,
  contactsOf,
  deliverMail,
  mailedCode,
  proveEmail,
  provePhone,
  verifiedCode,
  giveEmail,
} from '#tests/support/mail.ts'
import { testWith, useMailingApp } from '#tests/support/fixtures.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'

const { portal, server, aPlayerWithEmail } = useMailingApp()
const test = testWith(portal)

describe('e-mail', () => {
  const call = (player: TestPlayer, path: string, body: object) =>
    portal.call('POST', `/api/email/${path}`, { token: player.token, body })
  const codeTo = (player: TestPlayer, email: string) => mailedCode(portal, server, { player, email })
  const userOf = async (player: TestPlayer) =>
    (await portal.call('POST', '/api/auth/verify', { body: { access_token: player.token } })).body

  const otpInvalid = (field: string) => ({
    status: 422,
    body: expect.objectContaining({
      code: 'OTP_INVALID',
      report: true,
      errors: { [field]: ['Mã OTP không chính xác hoặc đã hết hạn'] },
    }),
  })

  describe('a code by mail', () => {
    test('goes to the given address, with how long it is valid', async ({ player }) => {
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

    test('is mailed at most five times an hour to one mailbox, whoever requests it', async () => {
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

    test('is no more than ten an hour for one player, however many addresses they name', async ({
      player,
    }) => {
      const statuses = []
      for (let count = 0; count < 11; count++)
        statuses.push((await call(player, 'send-otp', { email: anEmail() })).status)
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    })
  })

  describe('an address', () => {
    test('is proved by the code that went to it, and only once', async ({ player }) => {
      const email = anEmail()
      await giveEmail(portal, player, email)
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

    test('is not proved without one, nor by the code of another address, another player, or ten minutes ago', async ({
      player,
    }) => {
      expect(await call(player, 'verify', { code: '123456' })).toMatchObject(otpInvalid('code'))
      const email = anEmail()
      await giveEmail(portal, player, email)

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

    test('may be set without more by a player who has proved nothing yet', async ({ player }) => {
      const email = anEmail()
      const answer = await call(player, 'update', {
        newEmail: email,
        newEmailOtp: await codeTo(player, email),
      })
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
      expect(await lastTrailRow(portal, { id: player.id })).toMatchObject({
        action: 'users.change-email',
        details: {},
        personal: { before: email, after: newEmail },
        request_id: expect.any(String),
      })
    })

    test('of a player with a proved phone and no proved address takes the phone’s code', async ({
      player,
    }) => {
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

    test('is not set by the right code after five wrong ones', async ({ player }) => {
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

    test('is not guessed: twenty tries a day, new codes or not', async ({ player }) => {
      const email = anEmail()
      await giveEmail(portal, player, email)
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
})

describe('phone', () => {
  const update = (player: TestPlayer, body: { code: string; newPhone: string }) =>
    portal.call('POST', '/api/phone/update', { token: player.token, body })

  const dialled = (phone: string) => phone.replace(/^84/, '0')

  describe('a phone', () => {
    test('is set and proved by its verified code, however it is written', async ({ player }) => {
      const phone = aPhone()
      const code = await verifiedCode(portal, phone)
      const answer = await update(player, { code, newPhone: dialled(phone) })
      expect(answer).toMatchObject({
        status: 200,
        body: { message: 'Đã cập nhật và xác thực số điện thoại của bạn.', report: true },
      })
      expect(await contactsOf(portal, player.id)).toMatchObject({ phone, isPhoneVerified: true })
    })

    test('that the player has, unproved, is proved the same way', async () => {
      const phone = aPhone()
      const player = await aPlayer(portal, { phone })
      expect(await contactsOf(portal, player.id)).toMatchObject({ phone, isPhoneVerified: false })
      expect(
        (await update(player, { code: await verifiedCode(portal, phone), newPhone: phone })).status,
      ).toBe(200)
      expect(await contactsOf(portal, player.id)).toMatchObject({ phone, isPhoneVerified: true })
      const again = await update(player, { code: await verifiedCode(portal, phone), newPhone: phone })
      expect(again.body).toMatchObject({
        code: 'VALIDATION',
        errors: { newPhone: ['Bạn đang dùng số điện thoại này rồi'] },
      })
    })

    test('is not set by a code that was never verified, is another phone’s, or was spent', async ({
      player,
    }) => {
      const other = aPhone()
      const ofAnother = await verifiedCode(portal, other)
      const refused = await update(player, { code: ofAnother, newPhone: aPhone() })
      expect(refused).toMatchObject({ status: 422, body: { code: 'OTP_INVALID', report: true } })
      expect((await update(player, { code: ofAnother, newPhone: other })).status).toBe(200)
      const second = await aPlayer(portal)
      expect((await update(second, { code: ofAnother, newPhone: other })).body.code).toBe('OTP_INVALID')
    })

    test('that was proved before needs its own code first; a refusal spends nothing', async ({ player }) => {
      const oldPhone = aPhone()
      await provePhone(portal, { player, phone: oldPhone })
      const newPhone = aPhone()
      const code = await verifiedCode(portal, newPhone)
      const without = await update(player, { code, newPhone })
      expect(without).toMatchObject({
        status: 422,
        body: { code: 'OTP_REQUIRED', message: 'Vui lòng xác thực mã OTP của số điện thoại hiện tại trước' },
      })
      const oldCode = await verifiedCode(portal, oldPhone)
      expect((await update(player, { code, newPhone })).status).toBe(200)
      expect(await contactsOf(portal, player.id)).toMatchObject({ phone: newPhone, isPhoneVerified: true })
      // The old phone's code is spent too: it serves nothing else.
      const other = await aPlayer(portal)
      expect((await update(other, { code: oldCode, newPhone: oldPhone })).body.code).toBe('OTP_INVALID')
    })

    test('that another account has unverified is removed there, and its player gets a mail', async () => {
      const phone = aPhone()
      const loser = await aPlayer(portal, { phone })
      const email = anEmail()
      await proveEmail(portal, server, { player: loser, email })
      const owner = await aPlayer(portal)
      expect((await update(owner, { code: await verifiedCode(portal, phone), newPhone: phone })).status).toBe(
        200,
      )
      expect(await contactsOf(portal, loser.id)).toMatchObject({ phone: null, email, isEmailVerified: true })
      expect(await contactsOf(portal, owner.id)).toMatchObject({ phone, isPhoneVerified: true })
      await deliverMail(portal)
      expect(server.to(email).at(-1)?.subject).toBe('Tài khoản của bạn cần một số điện thoại khác')
      const actions = await portal.db
        .selectFrom('audit_log')
        .select(['action', 'subject_id', 'details'])
        .where('subject_id', 'in', [owner.id, loser.id])
        .where('action', 'like', '%phone')
        .orderBy('seq')
        .execute()
      expect(actions).toEqual([
        { action: 'users.lose-phone', subject_id: loser.id, details: {} },
        { action: 'users.change-phone', subject_id: owner.id, details: { taken_from: loser.id } },
      ])
    })

    test('that another account has proved is refused, and its code is not spent', async () => {
      const phone = aPhone()
      const holder = await aPlayer(portal)
      await provePhone(portal, { player: holder, phone })
      const player = await aPlayer(portal)
      const code = await verifiedCode(portal, phone)
      const answer = await update(player, { code, newPhone: phone })
      expect(answer).toMatchObject({
        status: 422,
        body: {
          code: 'PHONE_TAKEN',
          errors: { newPhone: ['Số điện thoại đã được đăng ký cho tài khoản khác'] },
        },
      })
      expect(await contactsOf(portal, holder.id)).toMatchObject({ phone, isPhoneVerified: true })
      // Without a code of it, a caller does not learn that it is in use.
      expect((await update(player, { code: '000000', newPhone: phone })).body.code).toBe('OTP_INVALID')
    })
  })

  describe('two players at once', () => {
    test('prove one phone: one of them has it', async () => {
      for (let round = 0; round < 5; round++) {
        const players = await Promise.all([aPlayer(portal), aPlayer(portal), aPlayer(portal)])
        const phone = aPhone()
        const code = await verifiedCode(portal, phone)
        const answers = await Promise.all(players.map((player) => update(player, { code, newPhone: phone })))
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        expect(answers.filter(({ body }) => body.code === 'OTP_INVALID')).toHaveLength(2)
        const winner = answers.findIndex(({ status }) => status === 200)
        expect(await contactsOf(portal, players[winner]!.id)).toMatchObject({ phone, isPhoneVerified: true })
      }
    })

    test('take each other’s unproved phones: both are locked in the order of their ids, never in a circle', async () => {
      const [one, two] = [aPhone(), aPhone()]
      const first = await aPlayer(portal, { phone: one })
      const second = await aPlayer(portal, { phone: two })
      const codes = [await verifiedCode(portal, two), await verifiedCode(portal, one)]
      const lock = (tx: Tx, player: TestPlayer) =>
        sql`SELECT FROM user_contacts WHERE user_id = ${player.id}::bigint FOR UPDATE NOWAIT`.execute(tx)
      const taking = await inTransaction(portal.db, async (tx) => {
        await lock(tx, first)
        const waiting = update(second, { code: codes[1]!, newPhone: one })
        await sleep(400)
        // It waits for the first row and holds nothing that anyone who has the first row may lock next.
        await lock(tx, second)
        return { waiting }
      })
      expect((await taking.waiting).status).toBe(200)
      expect((await update(first, { code: codes[0]!, newPhone: two })).status).toBe(200)
      expect(await contactsOf(portal, first.id)).toMatchObject({ phone: two, isPhoneVerified: true })
      expect(await contactsOf(portal, second.id)).toMatchObject({ phone: one, isPhoneVerified: true })
    })
  })
})
