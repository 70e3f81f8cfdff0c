import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anAddress, aPlayer } from '#tests/support/players.ts'

const portal = useTestApp()

let count = 0
/** A form with unique values, and those the test gives. */
function aForm(given: Record<string, unknown> = {}) {
  count++
  const username = (given.username as string | undefined) ?? `tanthu${count}`
  return {
    username,
    phone: `0987${String(count).padStart(6, '0')}`,
    password: 'trucdem-2024',
    name: username,
    server_id: '1',
    ...given,
  }
}

const register = (body: object) => portal.call('POST', '/api/auth/register', { body, from: anAddress() })
const verify = (access_token: string) => portal.call('POST', '/api/auth/verify', { body: { access_token } })
const userRow = (username: string) =>
  portal.db
    .selectFrom('users')
    .leftJoin('user_contacts', 'user_contacts.user_id', 'users.id')
    .selectAll()
    .where('username_key', '=', username.toLowerCase())
    .executeTakeFirst()

test('a visitor becomes a player with an empty wallet and a live session', async () => {
  const form = aForm({ username: 'KiemGia9', email: 'kiem.gia@example.com', server_id: '2' })
  const answer = await register(form)
  expect(answer.status).toBe(201)
  expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'message'])
  expect(answer.body.message).toContain('KiemGia9')
  expect(answer.headers['cache-control']).toBe('no-store')

  const user = await verify(answer.body.access_token)
  expect(user.status).toBe(200)
  expect(user.headers['cache-control']).toBe('no-store')
  expect(user.body).toEqual({
    id: expect.stringMatching(/^[1-9]\d*$/),
    username: 'KiemGia9',
    server_id: '2',
    server_name: 'Bạch Vân',
    balance: 0,
    ban_until: null,
    ban_reason: null,
    activated: false,
    first_gift: null,
    role_names: [],
    permission_names: [],
    email: 'k***@example.com',
    email_verified: false,
    phone: `098****${form.phone.slice(-3)}`,
    phone_verified: false,
    unread_texts: [],
    pixel_consent: null,
  })
})

test('unknown fields change nothing', async () => {
  const answer = await register(
    aForm({
      balance: 5_000,
      activated: true,
      role_names: ['owner'],
      user_id: 1,
      first_gift: 9999,
      ban_until: null,
    }),
  )
  expect(answer.status).toBe(201)
  const { body } = await verify(answer.body.access_token)
  expect(body).toMatchObject({
    balance: 0,
    activated: false,
    role_names: [],
    permission_names: [],
    first_gift: null,
  })
})

test('optional fields may be absent, null or empty; the first server is the default', async () => {
  const { server_id: _, name: __, ...bare } = aForm()
  expect((await register(bare)).status).toBe(201)
  expect(await userRow(bare.username)).toMatchObject({ server_id: '1', email: null, referrer_id: null })
  const nothing = aForm({ email: '', referral_id: null, name: null, server_id: null })
  expect((await register(nothing)).status).toBe(201)
  expect(await userRow(nothing.username)).toMatchObject({ server_id: '1', email: null, referrer_id: null })
})

test('only a hash of the password is stored', async () => {
  const form = aForm({ password: 'mat-khau-rieng' })
  await register(form)
  expect((await userRow(form.username))?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(portal.logged()).not.toContain('mat-khau-rieng')
})

test('a username is taken in any case', async () => {
  await register(aForm({ username: 'PhiTieuVang' }))
  const answer = await register(aForm({ username: 'phitieuVANG' }))
  expect(answer.status).toBe(422)
  expect(answer.body).toEqual({
    code: 'USERNAME_TAKEN',
    message: 'Tên đăng nhập đã có người sử dụng',
    errors: { username: ['Tên đăng nhập đã có người sử dụng'] },
    requestId: expect.any(String),
  })
})

test('one phone in its two ways of writing makes one account, also at the same moment', async () => {
  const forms = Array.from({ length: 8 }, (_, index) =>
    aForm({ phone: index % 2 === 0 ? '0356781299' : '84356781299' }),
  )
  const answers = await Promise.all(forms.map(register))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(({ body }) => [body.code, Object.keys(body.errors)])).toEqual(
    refused.map(() => ['PHONE_TAKEN', ['phone']]),
  )
  const owners = await portal.db
    .selectFrom('user_contacts')
    .select('user_id')
    .where('phone', '=', '84356781299')
    .execute()
  expect(owners).toHaveLength(1)
  // The losers of the race left no rows.
  const losers = forms.filter((_, index) => answers[index]!.status !== 201)
  expect(await Promise.all(losers.map(({ username }) => userRow(username)))).toEqual(
    losers.map(() => undefined),
  )
})

test('of a hundred registrations of one name at once exactly one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      register(aForm({ username: index % 2 ? 'TranhNhau' : 'tranhnhau' })),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const { status, body } of answers.filter(({ status }) => status !== 201)) {
    // On a machine this busy some may be asked to come back.
    expect([`422 USERNAME_TAKEN`, `503 UNAVAILABLE`]).toContain(`${status} ${body.code}`)
  }
  const { users } = await portal.db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<string>().as('users'))
    .where('username_key', '=', 'tranhnhau')
    .executeTakeFirstOrThrow()
  expect(users).toBe('1')
})

test.each([
  ['a password equal to the username', { username: 'TrungTen123', password: 'trungten123' }, 'password'],
  ['a common password', { password: 'Password1' }, 'password'],
  ['a common Vietnamese password', { password: 'anhyeuem' }, 'password'],
  ['an unknown server', { server_id: '99' }, 'server_id'],
  ['a server that is no id at all', { server_id: "1'\0--" }, 'server_id'],
  ['a foreign phone', { phone: '+1555123456' }, 'phone'],
  ['a username with a mark', { username: 'tên-lạ' }, 'username'],
  ['an e-mail that is none', { email: 'khong-phai' }, 'email'],
])('%s is refused at its field', async (_, given, field) => {
  const answer = await register(aForm(given))
  expect([answer.status, answer.body.code]).toEqual([422, 'VALIDATION'])
  expect(Object.keys(answer.body.errors)).toEqual([field])
  expect(answer.body.message).toBe(answer.body.errors[field][0])
})

test('a referral by name or id is stored, and an unknown one is ignored', async () => {
  const inviter = await aPlayer(portal, { username: 'NguoiMoi77' })
  const referrerOf = async (referral_id: string) => {
    const form = aForm({ referral_id })
    expect((await register(form)).status).toBe(201)
    return (await userRow(form.username))?.referrer_id
  }
  expect(await referrerOf('nguoimoi77')).toBe(inviter.id)
  expect(await referrerOf(inviter.id)).toBe(inviter.id)
  for (const nobody of ['khongcoai', '999999999', '0', '9'.repeat(64), "x' OR 1=1", 'a\0b', '']) {
    expect(await referrerOf(nobody)).toBeNull()
  }
})

test('the profile gives the link and counts who came by it', async () => {
  const inviter = await aPlayer(portal)
  const invitation = async () =>
    (await portal.call('GET', '/api/user/invitation', { token: inviter.token })).body
  const link = `${portal.deps.publicUrl}/register?referral_id=${inviter.username}`
  expect(await invitation()).toEqual({ link, invited: 0 })
  for (const referral_id of [inviter.username, inviter.id, 'khongcoai']) {
    expect((await register(aForm({ referral_id }))).status).toBe(201)
  }
  expect(await invitation()).toEqual({ link, invited: 2 })
})
