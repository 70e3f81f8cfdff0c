import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { sessionMemoryOf } from './session-memory.ts'
import { startSessionJobs } from './sessions.jobs.ts'

const portal = useTestApp()

const hashOf = (token: string) => createHash('sha256').update(token).digest()
const verify = (access_token: string) => portal.call('POST', '/api/auth/verify', { body: { access_token } })
const listed = (token: string) => portal.call('GET', '/api/auth/sessions', { token })

async function anotherToken(player: TestPlayer, headers: Record<string, string> = {}): Promise<string> {
  const { username, password } = player
  const answer = await portal.call('POST', '/api/auth/login', { body: { username, password }, headers })
  return (answer.body as { access_token: string }).access_token
}

/** Makes a session as old, or as long unused, as a test wants it. */
async function age(token: string, change: { unusedFor?: string; expiresIn?: string }): Promise<void> {
  await portal.db
    .updateTable('sessions')
    .set({
      ...(change.unusedFor ? { last_used_at: sql<Date>`now() - ${change.unusedFor}::interval` } : {}),
      ...(change.expiresIn ? { expires_at: sql<Date>`now() + ${change.expiresIn}::interval` } : {}),
    })
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirstOrThrow()
  sessionMemoryOf(portal.deps).forgetAll()
}

const stored = (token: string) =>
  portal.db.selectFrom('sessions').selectAll().where('token_hash', '=', hashOf(token)).executeTakeFirst()

test('of a token only its SHA-256 is stored, and it dies thirty days later at the latest', async () => {
  const { token } = await aPlayer(portal)
  const row = (await stored(token))!
  expect(JSON.stringify(row)).not.toContain(token)
  expect((row.expires_at.getTime() - row.created_at.getTime()) / 86_400_000).toBeCloseTo(30, 2)
})

test('logout ends this session at once and no other', async () => {
  const player = await aPlayer(portal)
  const other = await anotherToken(player)
  const answer = await portal.call('POST', '/api/auth/logout', { token: player.token })
  expect([answer.status, answer.body]).toEqual([204, ''])
  expect((await verify(player.token)).status).toBe(401)
  const again = await portal.call('POST', '/api/auth/logout', { token: player.token })
  expect([again.status, again.body.code]).toEqual([401, 'UNAUTHENTICATED'])
  expect((await verify(other)).status).toBe(200)
})

test('a session ends after seven days without use, and is valid until then', async () => {
  const { token } = await aPlayer(portal)
  await age(token, { unusedFor: '6 days 23 hours 59 minutes' })
  expect((await listed(token)).status).toBe(200)
  await age(token, { unusedFor: '7 days 1 second' })
  expect((await verify(token)).status).toBe(401)
  expect((await listed(token)).body.code).toBe('UNAUTHENTICATED')
})

test('a session in use dies at its absolute limit all the same', async () => {
  const { token } = await aPlayer(portal)
  await age(token, { expiresIn: '0 seconds' })
  expect((await verify(token)).status).toBe(401)
})

test('use is noted once a minute, not with every call', async () => {
  const { token } = await aPlayer(portal)
  await age(token, { unusedFor: '50 seconds' })
  const before = (await stored(token))!.last_used_at
  await verify(token)
  expect((await stored(token))!.last_used_at).toEqual(before)
  await age(token, { unusedFor: '2 hours' })
  await verify(token)
  expect((await stored(token))!.last_used_at.getTime()).toBeGreaterThan(before.getTime())
})

test.each([
  ['nothing of ours', 'x'],
  ['five hundred and twelve characters', 'A'.repeat(512)],
  ['the right form but nobody’s', 'A'.repeat(43)],
  ['letters with marks and a zero byte', 'mã\0'],
])('verify answers 401 to %s', async (_, token) => {
  const answer = await verify(token)
  expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED'])
})

test('verify wants a token of at most 512 characters', async () => {
  expect((await verify('A'.repeat(513))).status).toBe(422)
  expect((await portal.call('POST', '/api/auth/verify', { body: {} })).status).toBe(422)
})

test('a token counts in the Authorization header only', async () => {
  const { token } = await aPlayer(portal)
  const path = '/api/auth/sessions'
  expect((await portal.call('GET', `${path}?access_token=${token}&token=${token}`)).status).toBe(401)
  expect((await portal.call('GET', path, { headers: { cookie: `access_token=${token}` } })).status).toBe(401)
  expect((await portal.call('GET', path, { headers: { authorization: `Basic ${token}` } })).status).toBe(401)
  expect((await portal.call('GET', path, { headers: { authorization: token } })).status).toBe(401)
  const inBody = await portal.call('POST', '/api/auth/logout', { body: { access_token: token } })
  expect(inBody.status).toBe(401)
  expect((await portal.call('GET', path, { headers: { authorization: `bearer ${token}` } })).status).toBe(200)
})

test('a player sees the live sessions, the newest first and the current one marked', async () => {
  const player = await aPlayer(portal)
  const phone = await anotherToken(player, {
    'user-agent': 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
  })
  const dead = await anotherToken(player)
  await age(dead, { unusedFor: '8 days' })
  const { status, body } = await listed(player.token)
  expect(status).toBe(200)
  expect(body).toEqual([
    {
      id: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_used_at: expect.stringMatching(/^\d{4}-.*Z$/),
      device: 'Chrome trên Android',
      place: 'Mạng nội bộ',
      is_current: false,
    },
    expect.objectContaining({ is_current: true }),
  ])
  expect((await listed(phone)).body[0].is_current).toBe(true)
})

test('a player ends one of their sessions; somebody else’s is as good as none', async () => {
  const [player, stranger] = [await aPlayer(portal), await aPlayer(portal)]
  const other = await anotherToken(player)
  const { id } = (await stored(other))!
  const end = (token: string, which: string) =>
    portal.call('DELETE', `/api/auth/sessions/${which}`, { token })

  const byStranger = await end(stranger.token, id)
  const ofNobody = await end(stranger.token, '999999999')
  expect([byStranger.status, byStranger.body.code]).toEqual([404, 'NOT_FOUND'])
  expect({ ...byStranger.body, requestId: '' }).toEqual({ ...ofNobody.body, requestId: '' })
  expect((await verify(other)).status).toBe(200)

  expect((await end(player.token, id)).status).toBe(204)
  expect((await verify(other)).status).toBe(401)
  expect((await verify(player.token)).status).toBe(200)
})

test('a player has fifty sessions at most: the longest unused goes', async () => {
  const player = await aPlayer(portal)
  await sql`
    INSERT INTO sessions (user_id, kind, token_hash, user_agent, expires_at, last_used_at)
      SELECT ${player.id}::bigint, 'player', sha256(('seldom ' || made || ${player.id})::bytea), '', now() + interval '1 day',
             now() - make_interval(mins => made)
        FROM generate_series(1, 50) made`.execute(portal.db)
  const { username, password } = player
  expect((await portal.call('POST', '/api/auth/login', { body: { username, password } })).status).toBe(200)
  const left = portal.db.selectFrom('sessions').select('id').where('user_id', '=', player.id)
  expect(await left.execute()).toHaveLength(50)
})

test('the clean-up removes sessions past their limit, also many, and leaves the others', async () => {
  const player = await aPlayer(portal)
  await sql`
    INSERT INTO sessions (user_id, token_hash, expires_at, user_agent)
    SELECT ${player.id}::bigint, sha256(('old' || n)::bytea), now() - interval '1 minute', ''
      FROM generate_series(1, 2500) AS n`.execute(portal.db)
  const countOver = async () => {
    const { rows } = await sql<{ count: string }>`
      SELECT count(*) FROM sessions WHERE expires_at <= now()`.execute(portal.db)
    return rows[0]!.count
  }
  const loops = startSessionJobs(portal.deps)
  try {
    await expect.poll(countOver, { timeout: 10_000 }).toBe('0')
  } finally {
    await Promise.all(loops.map((loop) => loop.stop()))
  }
  expect((await verify(player.token)).status).toBe(200)
})
