import { describe, expect, test } from 'vitest'
import { aPhone, anEmail, contactsOf, deliverMail, mailedCode, provePhone } from '#tests/support/mail.ts'
import { useMailingApp } from '#tests/support/fixtures.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'

const { server, portal, aPlayerWithEmail } = useMailingApp()

const call = (player: TestPlayer, path: string, body: object) =>
  portal.call('POST', `/api/${path}`, { token: player.token, body })
const codeTo = (player: TestPlayer, email: string) => mailedCode(portal, server, { player, email })

describe('an attacker with a session and nothing else', () => {
  test('security row 12: changes no proved e-mail without the code that went to it', async () => {
    const { player, email } = await aPlayerWithEmail()
    const newEmail = anEmail()
    const newEmailOtp = await codeTo(player, newEmail)
    for (const otp of [undefined, null, '']) {
      const answer = await call(player, 'email/update', { otp, newEmail, newEmailOtp })
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'OTP_REQUIRED', message: 'Vui lòng nhập mã OTP đã gửi đến email hiện tại của bạn' },
      })
    }
    // The code of the new address is no proof of the old one.
    const answer = await call(player, 'email/update', { otp: newEmailOtp, newEmail, newEmailOtp })
    expect(answer).toMatchObject({ status: 422, body: { code: 'OTP_INVALID' } })
    expect(await contactsOf(portal, player.id)).toMatchObject({ email, isEmailVerified: true })
  })

  test('security row 12: sets no e-mail without the code that went to the new one', async () => {
    const { player, email } = await aPlayerWithEmail()
    const otp = await codeTo(player, email)
    const answer = await call(player, 'email/update', { otp, newEmail: anEmail(), newEmailOtp: otp })
    expect(answer).toMatchObject({ status: 422, body: { code: 'OTP_INVALID' } })
    // A code of the new address that another player requested does not count.
    const newEmail = anEmail()
    const others = await codeTo(await aPlayer(portal), newEmail)
    const borrowed = await call(player, 'email/update', { otp, newEmail, newEmailOtp: others })
    expect(borrowed).toMatchObject({ status: 422, body: { code: 'OTP_INVALID' } })
    expect(await contactsOf(portal, player.id)).toMatchObject({ email })
  })

  test('security row 12: finds each code good for one change', async () => {
    const { player, email } = await aPlayerWithEmail()
    const newEmail = anEmail()
    const otp = await codeTo(player, email)
    const newEmailOtp = await codeTo(player, newEmail)
    expect((await call(player, 'email/update', { otp, newEmail, newEmailOtp })).status).toBe(200)
    const third = anEmail()
    const answer = await call(player, 'email/update', {
      otp: newEmailOtp,
      newEmail: third,
      newEmailOtp: await codeTo(player, third),
    })
    expect(answer.body.code).toBe('OTP_INVALID')
  })
})

describe('the mail about a change', () => {
  test('security row 12: goes to the old address, which an attacker in the account cannot prevent', async () => {
    const { player, email } = await aPlayerWithEmail()
    const newEmail = anEmail()
    const otp = await codeTo(player, email)
    const newEmailOtp = await codeTo(player, newEmail)
    expect((await call(player, 'email/update', { otp, newEmail, newEmailOtp })).status).toBe(200)
    await deliverMail(portal)
    const notice = server.to(email).at(-1)
    expect(notice?.subject).toBe('Email của tài khoản đã được thay đổi')
    expect(notice?.text).toContain(`được đổi thành ${newEmail.slice(0, 1)}***@thu.test`)
    expect(notice?.text).not.toContain(newEmail)
    expect(notice?.recipients).toEqual([email])
  })

  test('security row 12: of a phone goes to the proved e-mail', async () => {
    const { player, email } = await aPlayerWithEmail()
    const phone = aPhone()
    await provePhone(portal, { player, phone })
    await deliverMail(portal)
    const notice = server.to(email).at(-1)
    expect(notice?.subject).toBe('Số điện thoại của tài khoản đã được cập nhật')
    expect(notice?.text).not.toContain(phone.slice(2))
  })
})

test('security row 12: no log and no readable table holds an address, a phone or a code of a change', async () => {
  const { player, email } = await aPlayerWithEmail()
  const phone = aPhone()
  await provePhone(portal, { player, phone })
  const newEmail = anEmail()
  const codes = [await codeTo(player, email), await codeTo(player, newEmail)]
  await call(player, 'email/update', { otp: codes[0], newEmail, newEmailOtp: codes[1] })
  await deliverMail(portal)
  for (const secret of [email, newEmail, phone, phone.slice(2)]) expect(portal.logged()).not.toContain(secret)
  for (const code of codes) expect(portal.logged()).not.toMatch(new RegExp(`\\D${code}\\D`))
})
