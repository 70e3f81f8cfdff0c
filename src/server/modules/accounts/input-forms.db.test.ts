import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPhone, letTimePass, receiveCode, tryCode } from '#tests/support/phones.ts'
import { aPlayer } from '#tests/support/players.ts'

const portal = useTestApp()

const PASSWORD = 'mat-khau-12'

/** `0912345678` as autofill and paste bring it. */
const writtenForms = (dialled: string) => {
  const [start, middle, end] = [dialled.slice(1, 4), dialled.slice(4, 7), dialled.slice(7)]
  return [
    `0${start} ${middle} ${end}`,
    `0${start}.${middle}.${end}`,
    `+84 ${start} ${middle} ${end}`,
    `84${start}${middle}${end}`,
    `+84${start}${middle}${end}`,
    `0${start}\u00a0${middle}\u00a0${end}`,
  ]
}

const phoneOf = async (username: string) =>
  portal.db
    .selectFrom('user_contacts')
    .innerJoin('users', 'users.id', 'user_contacts.user_id')
    .select('phone')
    .where('username', '=', username)
    .executeTakeFirst()

test('a player registers with a phone written in any of its forms', async () => {
  for (let index = 0; index < writtenForms('').length; index += 1) {
    const username = `dangky${index}`
    const dialled = aPhone()
    const written = writtenForms(dialled)[index]
    const body = { username: ` ${username}\u00a0`, password: PASSWORD, phone: written }
    const answer = await portal.call('POST', '/api/auth/register', { body })
    expect(answer.status, written).toBe(201)
    expect(await phoneOf(username)).toEqual({ phone: `84${dialled.slice(1)}` })
    // Whatever its form, it is the same phone.
    const again = await portal.call('POST', '/api/auth/register', {
      body: { username: `khac${username}`, password: PASSWORD, phone: dialled },
    })
    expect(again).toMatchObject({ status: 422, body: { code: 'PHONE_TAKEN' } })
  }
})

test('a code is verified, and a password reset, for a phone written in any of its forms', async () => {
  const phone = aPhone()
  const player = await aPlayer(portal, { phone })
  for (const written of writtenForms(phone)) {
    const code = await receiveCode(portal, phone)
    expect((await tryCode(portal, { phone: written, code })).status).toBe(200)
    const reset = await portal.call('POST', '/api/password/reset-via-phone', {
      body: { username: `${player.username} `, phone: written, password: PASSWORD, code },
    })
    expect(reset.status).toBe(200)
    // As many codes as forms: more than an hour allows.
    await letTimePass(portal, phone, 3_600)
  }
})

test('a phone is changed to one written in any of its forms', async () => {
  const player = await aPlayer(portal)
  const phone = aPhone()
  const [written] = writtenForms(phone)
  const code = await receiveCode(portal, phone)
  await tryCode(portal, { phone, code })
  const answer = await portal.call('POST', '/api/phone/update', {
    token: player.token,
    body: { code, newPhone: written },
  })
  expect(answer.status).toBe(200)
  expect(await phoneOf(player.username)).toEqual({ phone: `84${phone.slice(1)}` })
})

test('blanks around a username do not count at login, transfer and referral', async () => {
  const sender = await aPlayer(portal, { coins: 100_000, isActivated: true })
  const payee = await aPlayer(portal)
  const login = await portal.call('POST', '/api/auth/login', {
    body: { username: ` ${sender.username} `, password: sender.password },
  })
  expect(login.status).toBe(200)
  const transfer = await portal.call('POST', '/api/user/transfer', {
    token: sender.token,
    body: { payee: `${payee.username}\u00a0`, amount: 10_000 },
  })
  expect(transfer.status).toBe(200)
  const invited = await portal.call('POST', '/api/auth/register', {
    body: { username: 'duocmoi1', password: PASSWORD, phone: aPhone(), referral_id: ` ${sender.username} ` },
  })
  expect(invited.status).toBe(201)
  const row = await portal.db
    .selectFrom('users')
    .select('referrer_id')
    .where('username', '=', 'duocmoi1')
    .executeTakeFirst()
  expect(row).toEqual({ referrer_id: sender.id })
})

test('blanks around a password count', async () => {
  const player = await aPlayer(portal)
  const login = await portal.call('POST', '/api/auth/login', {
    body: { username: player.username, password: `${player.password} ` },
  })
  expect(login).toMatchObject({ status: 422, body: { code: 'INVALID_CREDENTIALS' } })
})

test('an amount that is sent as text is refused', async () => {
  const player = await aPlayer(portal, { coins: 100_000, isActivated: true })
  const payee = await aPlayer(portal)
  const answer = await portal.call('POST', '/api/user/transfer', {
    token: player.token,
    body: { payee: payee.username, amount: '10000' },
  })
  expect(answer).toMatchObject({ status: 422, body: { errors: { amount: ['Số tiền phải là số nguyên'] } } })
})

test.each(['Operator', 'c0ngninja', 'napthe24h'])(
  'the username %s poses as staff, and is refused',
  async (username) => {
    const body = { username, password: PASSWORD, phone: aPhone() }
    expect(await portal.call('POST', '/api/auth/register', { body })).toMatchObject({
      status: 422,
      body: { errors: { username: ['Tên này dành cho ban quản trị, vui lòng chọn tên khác'] } },
    })
  },
)
