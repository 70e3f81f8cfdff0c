import { hash, verify } from '@node-rs/argon2'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, describe } from 'vitest'
import { passwordHasher } from '#server/modules/accounts/index.ts'
import { banPlayer } from '#server/modules/traders/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { oneWaits } from '#tests/support/locks.ts'
import { anAddress, aPlayer } from '#tests/support/players.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'

const portal = useTestApp()
const test = testWith(portal)

describe('a login', () => {
  const login = (username: string, password: string) =>
    portal.call('POST', '/api/auth/login', { body: { username, password } })

  test('a player logs in whatever the case of the name, each time with a new token', async ({ player }) => {
    const first = await login(player.username, player.password)
    const second = await login(player.username.toUpperCase(), player.password)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(Object.keys(first.body)).toEqual(['access_token'])
    expect(first.body.access_token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(new Set([player.token, first.body.access_token, second.body.access_token]).size).toBe(3)
    expect(first.headers['cache-control']).toBe('no-store')
  })

  test('a wrong password, an unknown name and a name that cannot exist are answered alike', async ({
    player,
  }) => {
    const answers = [
      await login(player.username, 'sai-mat-khau'),
      await login('khongcoai', player.password),
      await login('khong\0coai', player.password),
      await login(`${player.username.slice(0, -1)}\u212A`, player.password),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(422)
      expect(body).toEqual({
        code: 'INVALID_CREDENTIALS',
        message: 'Tên đăng nhập hoặc mật khẩu không chính xác',
        requestId: expect.any(String),
      })
    }
  })

  test.each([
    ['another case', 'Trúc Đêm 24', 'trúc đêm 24'],
    ['a character more', 'Trúc Đêm 24', 'Trúc Đêm 24 '],
    ['no spaces around', '  canh tre  ', 'canh tre'],
    ['another emoji', 'ninja🥷ninja', 'ninja🥸ninja'],
  ])('a password is exact: %s is refused', async (_, right, wrong) => {
    const username = `chinhxac${Math.random().toString(36).slice(2, 10)}`
    const phone = `09${String(Math.random()).slice(2, 10)}`
    const registered = await portal.call('POST', '/api/auth/register', {
      body: { username, phone, password: right, name: username },
    })
    expect(registered.status).toBe(201)
    expect((await login(username, wrong)).body.code).toBe('INVALID_CREDENTIALS')
    expect((await login(username, right)).status).toBe(200)
  })

  test('a password with marks opens in every form, also where another was stored before', async ({
    player,
  }) => {
    const composed = 'mật khẩu của tôi'
    const forms = [composed, composed.normalize('NFD'), 'mâ\u0323t khâ\u0309u cu\u0309a tôi']
    for (const stored of forms) {
      const raw = await hash(stored, { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 })
      await portal.db.updateTable('users').set({ password_hash: raw }).where('id', '=', player.id).execute()
      for (const typed of forms) expect((await login(player.username, typed)).status).toBe(200)
      const { password_hash } = await portal.db
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', player.id)
        .executeTakeFirstOrThrow()
      expect(await verify(password_hash, composed)).toBe(true)
      expect((await login(player.username, 'mắt khẩu của tôi')).body.code).toBe('INVALID_CREDENTIALS')
    }
  })

  test('a banned player logs in and is warned until when and why', async ({ player }) => {
    const until = new Date(Date.now() + 3 * 86_400_000)
    await inTransaction(portal.db, (tx) =>
      banPlayer(tx, { userId: player.id, until, reason: 'Dùng phần mềm tự động', actor: { kind: 'system' } }),
    )
    const answer = await login(player.username, player.password)
    expect(answer.status).toBe(200)
    expect(answer.body.message).toMatch(
      /^Tài khoản đang bị khóa giao dịch đến \d\d\/\d\d\/\d{4} \d\d:\d\d, lý do: Dùng phần mềm tự động$/,
    )
    const user = await portal.call('POST', '/api/auth/verify', {
      body: { access_token: answer.body.access_token },
    })
    expect(user.body).toMatchObject({ ban_until: until.toISOString(), ban_reason: 'Dùng phần mềm tự động' })
  })

  test('an expired ban is shown neither at login nor with the user', async ({ player }) => {
    const until = new Date(Date.now() - 1_000)
    await inTransaction(portal.db, (tx) =>
      banPlayer(tx, { userId: player.id, until, reason: 'Đã hết hạn', actor: { kind: 'system' } }),
    )
    const answer = await login(player.username, player.password)
    expect(Object.keys(answer.body)).toEqual(['access_token'])
    const user = await portal.call('POST', '/api/auth/verify', {
      body: { access_token: answer.body.access_token },
    })
    expect(user.body).toMatchObject({ ban_until: null, ban_reason: null })
  })

  test('a hash made under older parameters is renewed by a login, and the password stays', async ({
    player,
  }) => {
    const old = await hash(player.password, { memoryCost: 8 * 1024, timeCost: 1, parallelism: 1 })
    await portal.db.updateTable('users').set({ password_hash: old }).where('id', '=', player.id).execute()
    // Two at once: the one whose hash is replaced under its hands must not be refused for it.
    const answers = await Promise.all([
      login(player.username, player.password),
      login(player.username, player.password),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { password_hash: renewed } = await portal.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', player.id)
      .executeTakeFirstOrThrow()
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await login(player.username, player.password)).status).toBe(200)
  })

  test('a login that a change of password overtakes is checked by the new password', async ({ player }) => {
    const next = await hash('mat-khau-moi-12')
    const overtaken = await portal.db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ password_hash: next }).where('id', '=', player.id).execute()
      const answer = login(player.username, player.password)
      // The old password is still the right one to everybody else; its session waits for us.
      await oneWaits(portal.db)
      await tx.deleteFrom('sessions').where('user_id', '=', player.id).execute()
      return { answer }
    })
    expect((await overtaken.answer).body.code).toBe('INVALID_CREDENTIALS')
    const sessions = await portal.db
      .selectFrom('sessions')
      .where('user_id', '=', player.id)
      .selectAll()
      .execute()
    expect(sessions).toEqual([])
    expect((await login(player.username, 'mat-khau-moi-12')).status).toBe(200)
  })

  test('logins leave their line, with ids and never what was typed', async ({ player }) => {
    await login(player.username, player.password)
    await login(player.username, 'sai-mat-khau')
    await login('emlamatkhau', 'sai-mat-khau')
    const lines = portal
      .logged()
      .split('\n')
      .filter((line) => line.includes('"login.'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .slice(-3)
    expect(lines.map(({ event, userId }) => [event, userId])).toEqual([
      ['login.succeeded', player.id],
      ['login.failed', player.id],
      ['login.failed', null],
    ])
    for (const line of lines) {
      expect(line).toMatchObject({
        requestId: expect.any(String),
        address: '127.0.0.1',
        time: expect.any(String),
      })
    }
    for (const secret of ['sai-mat-khau', 'emlamatkhau', player.password, player.token]) {
      expect(portal.logged()).not.toContain(secret)
    }
  })

  test('more logins at once than are served in ten seconds: some get a waiting time, everything else is served', async ({
    player,
  }) => {
    // What a busy machine teaches the line.
    const teach = () => Promise.all([1, 2, 3, 4].map(() => passwordHasher.inLine(null, () => sleep(1_500))))
    const body = { username: player.username, password: player.password }
    const flood = (from: (number: number) => string) =>
      Array.from({ length: 160 }, (_, number) =>
        portal.call('POST', '/api/auth/login', { body, from: from(number) }),
      )
    // A crowd gets 503; one address that requests as often, 429.
    for (const [from, code, status] of [
      [(number: number) => `198.51.100.${number}`, 'UNAVAILABLE', 503],
      [() => '203.0.113.7', 'RATE_LIMITED', 429],
    ] as const) {
      await teach()
      const asked = flood(from)
      expect((await portal.call('GET', '/api/servers')).status).toBe(200)
      const answers = await Promise.all(asked)
      const refused = answers.filter((answer) => answer.status !== 200)
      expect(refused.length).toBeGreaterThan(0)
      expect(refused.length).toBeLessThan(answers.length)
      for (const answer of refused) {
        expect([answer.status, answer.body.code]).toEqual([status, code])
        expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(2)
      }
    }
    expect((await login(player.username, player.password)).status).toBe(200)
  })
})

describe('a registration', () => {
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
      balance_version: 0,
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
    const { server_id: _, name: __, ...fields } = aForm()
    expect((await register(fields)).status).toBe(201)
    expect(await userRow(fields.username)).toMatchObject({ server_id: '1', email: null, referrer_id: null })
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
    const contacts = portal.db.selectFrom('user_contacts').select('user_id')
    expect(await contacts.where('phone', '=', '84356781299').execute()).toHaveLength(1)
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
      // On a machine this busy some may get 503.
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
})
