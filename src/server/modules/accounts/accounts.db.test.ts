import { trailRows } from '#tests/support/trail-rows.ts'
import { expect, describe } from 'vitest'
import { PERMISSIONS, ROLE_PERMISSIONS } from '#contract/operator/roles.ts'
import { seedServers } from '#seeds/servers.ts'
import { banPlayer, findTraderByUsername } from '#server/modules/traders/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { openConsole } from '#tests/support/operators.ts'
import { aPhone, letTimePass, receiveCode, tryCode } from '#tests/support/phones.ts'
import { aPlayer, type TestPlayer, turnOnSecondFactor } from '#tests/support/players.ts'
import { gameSays } from '#tests/support/rewards.ts'
import {
  createAccount,
  findCredentials,
  findKeptOut,
  grantRole,
  revokeRole,
  setPasswordHash,
} from './index.ts'

const portal = useTestApp()
const test = testWith(portal)

const whoIs = async ({ token }: TestPlayer) =>
  (await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })).body

const trail = (id: string) => trailRows(portal, { subject: { type: 'user', id } })

test('everybody may list the servers, in their order', async () => {
  const answer = await portal.call('GET', '/api/servers')
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual(seedServers.map(({ id, name }) => ({ id, name })))
})

test('an account that cannot be made leaves neither user nor wallet behind', async () => {
  await aPlayer(portal, { phone: '0911222333' })
  const wallets = async () =>
    (await portal.db.selectFrom('ledger_account').select('id').where('kind', '=', 'user_wallet').execute())
      .length
  const before = await wallets()
  const account = { username: 'thatbai1', passwordHash: 'x', serverId: '1', phone: '84911222333' }
  await expect(inTransaction(portal.db, (tx) => createAccount(tx, account))).rejects.toMatchObject({
    code: 'PHONE_TAKEN',
  })
  const elsewhere = { ...account, phone: '0911222334', serverId: '404' }
  await expect(inTransaction(portal.db, (tx) => createAccount(tx, elsewhere))).rejects.toMatchObject({
    code: 'VALIDATION',
    errors: { server_id: [expect.any(String)] },
  })
  expect(await wallets()).toBe(before)
  expect(await findCredentials(portal.db, 'thatbai1')).toBeUndefined()
})

test('a role is granted and taken with its row in the trail, and counts with the next call', async () => {
  const player = await aPlayer(portal, { password: 'mat-khau-dai-12' })
  const verify = async () =>
    (await portal.call('POST', '/api/auth/verify', { body: { access_token: player.token } })).body
  const { username } = player

  expect(await grantRole(portal.db, { username: username.toUpperCase(), role: 'editor' })).toBe('granted')
  expect(await grantRole(portal.db, { username, role: 'editor' })).toBe('already-held')
  expect(await verify()).toMatchObject({ role_names: ['editor'] })
  expect((await verify()).permission_names.toSorted()).toEqual(ROLE_PERMISSIONS.editor.toSorted())

  expect(await grantRole(portal.db, { username, role: 'owner' })).toBe('granted')
  expect(await verify()).toMatchObject({ role_names: ['editor', 'owner'], permission_names: PERMISSIONS })
  const { recoveryCodes } = await turnOnSecondFactor(portal, player.token)
  const token = await openConsole(portal, player, recoveryCodes[0])
  expect((await portal.call('GET', '/api/operator/settings', { token })).status).toBe(200)
  expect((await portal.call('GET', '/api/operator/bank-transfers', { token })).status).toBe(200)

  expect(await revokeRole(portal.db, { username, role: 'owner' })).toBe('revoked')
  expect(await revokeRole(portal.db, { username, role: 'owner' })).toBe('not-held')
  expect((await portal.call('GET', '/api/operator/settings', { token })).status).toBe(200)
  expect((await portal.call('GET', '/api/operator/bank-transfers', { token })).status).toBe(403)
  expect(await trail(player.id)).toEqual([
    expect.objectContaining({
      action: 'users.grant-role',
      actor_kind: 'system',
      reason: null,
      details: { role: 'editor' },
    }),
    expect.objectContaining({
      action: 'users.grant-role',
      actor_kind: 'system',
      reason: null,
      details: { role: 'owner' },
    }),
    expect.objectContaining({
      action: 'second-factor.enable',
      actor_kind: 'user',
      reason: null,
      details: {},
    }),
    expect.objectContaining({
      action: 'users.revoke-role',
      actor_kind: 'system',
      reason: null,
      details: { role: 'owner' },
    }),
  ])
})

test('a role for an unknown user is refused with a message', async () => {
  await expect(grantRole(portal.db, { username: 'khongcoai', role: 'owner' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Không có tài khoản nào mang tên này',
  })
})

test('a ban is written with its reason in the trail, and asks for a player', async ({ player }) => {
  const until = new Date('2999-01-01T00:00:00Z')
  const ban = { until, reason: 'Lừa đảo', actor: { kind: 'system' } as const }
  await inTransaction(portal.db, (tx) => banPlayer(tx, { ...ban, userId: player.id }))
  expect(await whoIs(player)).toMatchObject({
    ban_until: '2999-01-01T00:00:00.000Z',
    ban_reason: 'Lừa đảo',
  })
  expect(await trail(player.id)).toEqual([
    expect.objectContaining({
      action: 'users.ban',
      actor_kind: 'system',
      reason: 'Lừa đảo',
      details: { until: '2999-01-01T00:00:00.000Z' },
    }),
  ])
  await expect(
    inTransaction(portal.db, (tx) => banPlayer(tx, { ...ban, userId: '999999999' })),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('the user has the current balance and activation', async () => {
  const player = await aPlayer(portal, { coins: 12_345, isActivated: true })
  expect(await whoIs(player)).toMatchObject({
    balance: 12_345,
    activated: true,
    first_gift: null,
  })
})

test('a password hash is replaced only if it has not changed meanwhile', async ({ player }) => {
  const known = (await findCredentials(portal.db, player.username))!.passwordHash
  const replace = (from: string, to: string) =>
    inTransaction(portal.db, (tx) => setPasswordHash(tx, { userId: player.id, from, to }))
  expect(await replace(known, 'moi')).toBe(true)
  expect(await replace(known, 'khac')).toBe(false)
  expect((await findCredentials(portal.db, player.username))!.passwordHash).toBe('moi')
})

test('a name with look-alike characters is unknown', async () => {
  await aPlayer(portal, { username: 'kiemkhach1' })
  expect((await findTraderByUsername(portal.db, 'KIEMKHACH1'))?.username).toBe('kiemkhach1')
  expect(await findTraderByUsername(portal.db, '\u212Aiemkhach1')).toBeUndefined()
  expect(await findCredentials(portal.db, '\u212Aiemkhach1')).toBeUndefined()
})

describe('the form of names and phones', () => {
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

  test('a phone is changed to one written in any of its forms', async ({ player }) => {
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
      body: {
        username: 'duocmoi1',
        password: PASSWORD,
        phone: aPhone(),
        referral_id: ` ${sender.username} `,
      },
    })
    expect(invited.status).toBe(201)
    const row = await portal.db
      .selectFrom('users')
      .select('referrer_id')
      .where('username', '=', 'duocmoi1')
      .executeTakeFirst()
    expect(row).toEqual({ referrer_id: sender.id })
  })

  test('blanks around a password count', async ({ player }) => {
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
})

describe('the limits of the game', () => {
  const limits = { name: { least: 7, most: 9, letters: 'a-z0-8' }, password: { most: 12 } }
  const told = async () => (await portal.call('GET', '/api/game-limits')).body
  const register = async (username: string, password = 'mat-khau-12') => {
    const body = { username, password, phone: aPhone() }
    const { status, body: answer } = await portal.call('POST', '/api/auth/register', { body })
    return [status, answer.errors]
  }

  test('are none until the game tells some', async () => {
    await gameSays(portal, { limits: null })
    expect(await told()).toEqual({})
    expect(await register('khonggioihan9', 'mat-khau-dai-14')).toEqual([201, undefined])
    expect(await findKeptOut(portal.db, {})).toEqual({ count: 0, first: null })
  })

  test('hold for new names and passwords', async () => {
    await gameSays(portal, { limits })
    expect(await told()).toEqual(limits)
    expect(await register('ngangan')).toEqual([201, undefined])
    for (const [name, fault] of [
      ['ngangg', 'Tên đăng nhập trong game có tối thiểu 7 ký tự'],
      ['ngangangan', 'Tên đăng nhập trong game có tối đa 9 ký tự'],
      ['Ngangan9', 'Tên đăng nhập trong game chỉ gồm a–z, 0–8'],
    ] as const)
      expect(await register(name)).toEqual([422, { username: [fault] }])
    const tooLong = { password: ['Mật khẩu trong game có tối đa 12 ký tự'] }
    expect(await register('nganganh', 'mat-khau-nay-dai')).toEqual([422, tooLong])
    const password = 'mat-khau-14ky'
    const player = await aPlayer(portal, { username: 'nganganh', password: 'mat-khau-12' })
    const body = { current_password: 'mat-khau-12', password }
    const call = { token: player.token, body }
    expect((await portal.call('POST', '/api/user/change-password', call)).body.errors).toEqual(tooLong)
    await gameSays(portal, { limits: null })
  })

  test('keep out of the game who has another name already', async () => {
    const before = await findKeptOut(portal.db, limits)
    await aPlayer(portal, { username: 'Aaaaaaaaaa' })
    await aPlayer(portal, { username: 'aaaaaaa9' })
    await aPlayer(portal, { username: 'aaaaaaa8' })
    expect(await findKeptOut(portal.db, limits)).toEqual({ count: before.count + 2, first: 'aaaaaaa9' })
  })
})
