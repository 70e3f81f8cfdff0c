import { trailRows } from '#tests/support/trail-rows.ts'
import { randomUUID } from 'node:crypto'
import { expect, describe } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { testWith, useOperators } from '#tests/support/fixtures.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator, openConsole, type TestOperator, setProof } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer, appCode, send } from '#tests/support/players.ts'

const portal = useTestApp()
const test = testWith(portal)

const { owner } = useOperators(portal, { owner: 'owner' })

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

test('a ban of signing in ends every session, and whoever signs in reads until when and why', async ({
  player,
}) => {
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

test('a ban of trading leaves the login open; one for good is shown as such', async () => {
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

test('the audit trail has what a ban was before and after', async ({ player }) => {
  await act('ban', player, { scope: 'trading', until: TOMORROW })
  await act('ban', player, { scope: 'trading', until: null })
  await act('lift-ban', player, { scope: 'trading' })
  const rows = await trailRows(portal, { id: player.id })
  const forever = '9999-12-31T00:00:00.000Z'
  const change = (before: string | null, after: string | null) => ({
    scope: 'trading',
    before: { until: before },
    after: { until: after },
  })
  expect(rows.map(({ action, details }) => [action, details])).toEqual([
    ['users.ban', change(null, TOMORROW)],
    ['users.ban', change(TOMORROW, forever)],
    ['users.lift-ban', change(forever, null)],
  ])
})

test('refused: a moment that is over, oneself, nobody, and what is not banned', async ({ player }) => {
  const past = await act('ban', player, { scope: 'trading', until: '2020-01-01T00:00:00Z' })
  expect([past.status, Object.keys(past.body.errors)]).toEqual([422, ['until']])
  expect((await act('ban', player, { scope: 'trading', until: 'mai' })).status).toBe(422)
  expect((await act('ban', owner, { scope: 'trading', until: null })).body.code).toBe('CONFLICT')
  expect((await act('ban', { id: '999999999' }, { scope: 'trading', until: null })).status).toBe(404)
  expect((await act('lift-ban', player, { scope: 'trading' })).body.code).toBe('CONFLICT')
})

describe('a ban of several players', () => {
  const { owner } = useOperators(portal, { owner: 'owner' })

  const reason = 'Dùng phần mềm gian lận'
  type Sent = { by?: TestOperator; key?: string; until?: string | null; reason?: string }
  const ban = (ids: string[], { by = owner, key = randomUUID(), until = null, ...rest }: Sent = {}) =>
    portal.call('POST', '/api/operator/users/ban', {
      token: by.token,
      key,
      body: { ids, scope: 'trading', until, reason, ...rest },
    })
  const bansOf = (ids: string[]) =>
    portal.db
      .selectFrom('audit_log')
      .select(['subject_id', 'actor_id', 'reason', 'action'])
      .where('action', 'like', 'users.ban%')
      .where('subject_id', 'in', ids)
      .orderBy('seq')
      .execute()
  const isBanned = async (id: string) =>
    (await portal.db.selectFrom('users').select('ban_until').where('id', '=', id).executeTakeFirstOrThrow())
      .ban_until !== null
  const people = async (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await aPlayer(portal)).id))

  test('several players are banned with one reason; a refused row leaves the others; a repeat answers the same', async () => {
    const [first = '', second = ''] = await people(2)
    const key = randomUUID()
    const ids = [first, '999999999', owner.id, second, first]
    const answer = await ban(ids, { key })
    const refused = { status: 'refused', message: expect.any(String) }
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        results: [
          { id: first, status: 'done' },
          { id: '999999999', ...refused, code: 'NOT_FOUND' },
          { id: owner.id, ...refused, code: 'CONFLICT' },
          { id: second, status: 'done' },
        ],
      },
    ])
    const row = { actor_id: owner.id, reason, action: 'users.ban' }
    const trail = [
      { ...row, subject_id: first },
      { ...row, subject_id: second },
    ]
    expect(await bansOf(ids)).toEqual(trail)
    const again = await ban(ids, { key })
    expect([again.status, again.body]).toEqual([200, answer.body])
    expect(await bansOf(ids)).toEqual(trail)
    expect((await ban(ids, { key, reason: 'Một lý do khác' })).body.code).toBe('KEY_REUSED')
  })

  test('a call that broke off goes on behind the rows that were done when its key is repeated', async () => {
    const ids = await people(3)
    const key = randomUUID()
    // As if the database failed at the third row.
    await asOwner(
      portal,
      `CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`,
    )
    await asOwner(
      portal,
      `CREATE TRIGGER break_off BEFORE UPDATE ON users FOR EACH ROW WHEN (OLD.id = ${ids[2]}) EXECUTE FUNCTION break_off()`,
    )
    expect((await ban(ids, { key })).status).toBe(500)
    expect(await Promise.all(ids.map(isBanned))).toEqual([true, true, false])
    await asOwner(portal, 'DROP FUNCTION break_off CASCADE')
    expect((await ban(ids, { key })).body.results).toEqual(ids.map((id) => ({ id, status: 'done' })))
    expect((await bansOf(ids)).map(({ subject_id }) => subject_id)).toEqual(ids)
  })

  test('between 1 and 50 rows, an end still to come, and a fresh proof as for one alone', async () => {
    const [id = ''] = await people(1)
    const many = Array.from({ length: 51 }, (_, at) => String(900_000 + at))
    expect([(await ban(many)).status, (await ban([])).status]).toEqual([422, 422])
    expect((await ban(many.slice(1))).body.results).toHaveLength(50)
    const past = new Date(Date.now() - 1_000).toISOString()
    expect(Object.keys((await ban([id], { until: past })).body.errors)).toEqual(['until'])
    await setProof(portal, owner, { isFresh: false })
    expect((await ban([id])).body.code).toBe('STEP_UP_REQUIRED')
    expect(await isBanned(id)).toBe(false)
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    expect((await ban([id], { until: inAnHour })).body.results).toEqual([{ id, status: 'done' }])
    await setProof(portal, owner, { isFresh: true })
  })

  test('each row counts as an act; above the pace the call is refused, and its key goes on later', async () => {
    const ids = await people(3)
    const key = randomUUID()
    const other = await anOperator(portal, 'owner')
    await ban(['999999998'], { by: other })
    await asOwner(portal, `UPDATE rate_limit SET points = 118 WHERE key LIKE 'operator-acts:%'`)
    const over = await ban(ids, { by: other, key })
    expect([over.status, over.body.code]).toEqual([429, 'RATE_LIMITED'])
    expect(await Promise.all(ids.map(isBanned))).toEqual([true, true, false])
    await asOwner(portal, `DELETE FROM rate_limit WHERE key LIKE 'operator-acts:%'`)
    expect((await ban(ids, { by: other, key })).body.results).toEqual(
      ids.map((id) => ({ id, status: 'done' })),
    )
    expect(await bansOf(ids)).toHaveLength(3)
  })
})
