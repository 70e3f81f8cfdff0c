import { expect, test } from 'vitest'
import { PERMISSIONS, ROLE_PERMISSIONS } from '#contract/operator/roles.ts'
import { seedServers } from '#seeds/servers.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { banPlayer, findTraderByUsername } from '#server/modules/traders/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer, type TestPlayer, turnOnSecondFactor } from '#tests/support/players.ts'
import { openConsole } from '#tests/support/operators.ts'
import { createAccount, findCredentials, grantRole, revokeRole, setPasswordHash } from './index.ts'

const portal = useTestApp()

const whoIs = async ({ token }: TestPlayer) =>
  (await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })).body

const trail = (userId: string) =>
  portal.db
    .selectFrom('audit_log')
    .select(['action', 'actor_kind', 'reason', 'details'])
    .where('subject_type', '=', 'user')
    .where('subject_id', '=', userId)
    .orderBy('seq')
    .execute()

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
    { action: 'users.grant-role', actor_kind: 'system', reason: null, details: { role: 'editor' } },
    { action: 'users.grant-role', actor_kind: 'system', reason: null, details: { role: 'owner' } },
    { action: 'second-factor.enable', actor_kind: 'user', reason: null, details: {} },
    { action: 'users.revoke-role', actor_kind: 'system', reason: null, details: { role: 'owner' } },
  ])
})

test('a role for an unknown user is refused with a message', async () => {
  await expect(grantRole(portal.db, { username: 'khongcoai', role: 'owner' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Không có tài khoản nào mang tên này',
  })
})

test('a ban is written with its reason in the trail, and asks for a player', async () => {
  const player = await aPlayer(portal)
  const until = new Date('2999-01-01T00:00:00Z')
  const ban = { until, reason: 'Lừa đảo', actor: { kind: 'system' } as const }
  await inTransaction(portal.db, (tx) => banPlayer(tx, { ...ban, userId: player.id }))
  expect(await whoIs(player)).toMatchObject({
    ban_until: '2999-01-01T00:00:00.000Z',
    ban_reason: 'Lừa đảo',
  })
  expect(await trail(player.id)).toEqual([
    {
      action: 'users.ban',
      actor_kind: 'system',
      reason: 'Lừa đảo',
      details: { until: '2999-01-01T00:00:00.000Z' },
    },
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

test('a password hash is replaced only if it has not changed meanwhile', async () => {
  const player = await aPlayer(portal)
  const known = (await findCredentials(portal.db, player.username))!.passwordHash
  const replace = (from: string, to: string) => setPasswordHash(portal.db, { userId: player.id, from, to })
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
