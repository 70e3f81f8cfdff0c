import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator, openConsole, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer, appCode, send } from '#tests/support/players.ts'

const portal = useTestApp()
let owner: TestOperator
beforeAll(async () => {
  owner = await anOperator(portal, 'owner')
})

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString()

const act = (name: string, { id }: { id: string }, body: object) =>
  portal.call('POST', `/api/operator/users/${id}/${name}`, {
    token: owner.token,
    body: { reason: 'Dùng phần mềm gian lận', ...body },
  })
const login = ({ username, password, address }: TestPlayer) =>
  portal.call('POST', '/api/auth/login', { from: address, body: { username, password } })
const profile = async ({ token }: TestPlayer) =>
  portal.call('POST', '/api/auth/verify', { body: { access_token: token } })

test('a ban of signing in ends every session, and whoever signs in reads until when and why', async () => {
  const player = await aPlayer(portal)
  const banned = await act('ban', player, { scope: 'sign-in', until: TOMORROW })
  expect([banned.status, banned.body]).toEqual([
    200,
    { 'sign-in': { until: TOMORROW, reason: 'Dùng phần mềm gian lận' }, trading: null },
  ])
  expect((await profile(player)).status).toBe(401)
  const refused = await login(player)
  expect([refused.status, refused.body.code]).toEqual([422, 'BANNED'])
  expect(refused.body.message).toMatch(
    /^Tài khoản bị khóa đăng nhập đến \d\d\/\d\d\/\d{4} \d\d:\d\d, lý do: Dùng phần mềm gian lận$/,
  )
  // Who does not know the password does not learn of the ban.
  expect((await login({ ...player, password: 'khong-phai-no' })).body.code).toBe('INVALID_CREDENTIALS')

  expect((await act('lift-ban', player, { scope: 'sign-in' })).body).toEqual({
    'sign-in': null,
    trading: null,
  })
  expect((await login(player)).status).toBe(200)
})

test('a banned operator does not get into the console either', async () => {
  const editor = await anOperator(portal, 'editor')
  await act('ban', editor, { scope: 'sign-in', until: null })
  expect((await portal.call('GET', '/api/operator/me', { token: editor.token })).status).toBe(401)
  await expect(openConsole(portal, editor, appCode(editor.secret, 1))).rejects.toThrow(/BANNED/)
})

test('a login that runs while the ban is set leaves no session', async () => {
  for (let round = 0; round < 5; round++) {
    const player = await aPlayer(portal)
    const [answer] = await Promise.all([login(player), act('ban', player, { scope: 'sign-in', until: null })])
    const sessions = await portal.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', player.id)
      .execute()
    expect([answer.status === 200 || answer.body.code === 'BANNED', sessions]).toEqual([true, []])
  }
})

test('a ban of trading leaves the login open; for good, it says so', async () => {
  const player = await aPlayer(portal, { coins: 50_000, isActivated: true })
  const other = await aPlayer(portal)
  await act('ban', player, { scope: 'trading', until: null })
  const answer = await login(player)
  expect([answer.status, answer.body.message]).toEqual([
    200,
    'Tài khoản đang bị khóa giao dịch vĩnh viễn, lý do: Dùng phần mềm gian lận',
  ])
  expect((await send(portal, player, { payee: other.username, amount: 1_000 })).body.code).toBe('BANNED')
  await act('lift-ban', player, { scope: 'trading' })
  expect((await send(portal, player, { payee: other.username, amount: 1_000 })).status).toBe(200)
})

test('the audit trail says what a ban was before and after', async () => {
  const player = await aPlayer(portal)
  await act('ban', player, { scope: 'trading', until: TOMORROW })
  await act('ban', player, { scope: 'trading', until: null })
  await act('lift-ban', player, { scope: 'trading' })
  const rows = await portal.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('subject_type', '=', 'user')
    .where('subject_id', '=', player.id)
    .orderBy('seq')
    .execute()
  const forever = '9999-12-31T00:00:00.000Z'
  expect(rows).toEqual([
    {
      action: 'users.ban',
      details: { scope: 'trading', before: { until: null }, after: { until: TOMORROW } },
    },
    {
      action: 'users.ban',
      details: { scope: 'trading', before: { until: TOMORROW }, after: { until: forever } },
    },
    {
      action: 'users.lift-ban',
      details: { scope: 'trading', before: { until: forever }, after: { until: null } },
    },
  ])
})

test('refused: a moment that is over, oneself, nobody, and what is not banned', async () => {
  const player = await aPlayer(portal)
  const past = await act('ban', player, { scope: 'trading', until: '2020-01-01T00:00:00Z' })
  expect([past.status, Object.keys(past.body.errors)]).toEqual([422, ['until']])
  expect((await act('ban', player, { scope: 'trading', until: 'mai' })).status).toBe(422)
  expect((await act('ban', owner, { scope: 'trading', until: null })).body.code).toBe('CONFLICT')
  expect((await act('ban', { id: '999999999' }, { scope: 'trading', until: null })).status).toBe(404)
  expect((await act('lift-ban', player, { scope: 'trading' })).body.code).toBe('CONFLICT')
})
