import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { expect, beforeEach, describe } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer, turnOnSecondFactor } from '#tests/support/players.ts'
import { sessionCacheOf } from './session-cache.ts'
import { startSessionJobs } from './sessions.service.ts'

const portal = useTestApp()
const test = testWith(portal)

const hashOf = (token: string) => createHash('sha256').update(token).digest()
const verify = (access_token: string) => portal.call('POST', '/api/auth/verify', { body: { access_token } })
const listed = (token: string) => portal.call('GET', '/api/auth/sessions', { token })

async function anotherToken(player: TestPlayer, headers: Record<string, string> = {}): Promise<string> {
  const { username, password } = player
  const answer = await portal.call('POST', '/api/auth/login', { body: { username, password }, headers })
  return (answer.body as { access_token: string }).access_token
}

/** Makes a session as old, or as long unused, as a test needs it. */
async function age(token: string, change: { unusedFor?: string; expiresIn?: string }): Promise<void> {
  await portal.db
    .updateTable('sessions')
    .set({
      ...(change.unusedFor ? { last_used_at: sql<Date>`now() - ${change.unusedFor}::interval` } : {}),
      ...(change.expiresIn ? { expires_at: sql<Date>`now() + ${change.expiresIn}::interval` } : {}),
    })
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirstOrThrow()
  sessionCacheOf(portal.deps).forgetAll()
}

const stored = (token: string) =>
  portal.db.selectFrom('sessions').selectAll().where('token_hash', '=', hashOf(token)).executeTakeFirst()

test('of a token only its SHA-256 is stored, and it dies thirty days later at the latest', async () => {
  const { token } = await aPlayer(portal)
  const row = (await stored(token))!
  expect(JSON.stringify(row)).not.toContain(token)
  expect((row.expires_at.getTime() - row.created_at.getTime()) / 86_400_000).toBeCloseTo(30, 2)
})

test('logout ends this session at once and no other', async ({ player }) => {
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

test('verify takes a token of at most 512 characters', async () => {
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

test('a player sees the live sessions, the newest first and the current one marked', async ({ player }) => {
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

test('a player has fifty sessions at most: the longest unused goes', async ({ player }) => {
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

test('the clean-up removes sessions past their limit, also many, and leaves the others', async ({
  player,
}) => {
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

describe('sign-ins', () => {
  const ANDROID = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'
  const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
  const HANOI = '113.161.10.20'
  const AMERICA = '8.8.8.8'

  type From = { address?: string; agent?: string; password?: string; otp?: string; cookie?: string }

  const login = ({ username, password }: TestPlayer, from: From = {}) =>
    portal.call('POST', '/api/auth/login', {
      body: { username, password: from.password ?? password, otp: from.otp },
      headers: {
        'user-agent': from.agent ?? ANDROID,
        'x-forwarded-for': from.address ?? HANOI,
        ...(from.cookie === undefined ? {} : { cookie: from.cookie }),
      },
    })
  const history = async (token: string, query = '') =>
    (await portal.call('GET', `/api/auth/sign-ins${query}`, { token })).body
  const rowsOf = (userId: string) =>
    portal.db.selectFrom('sign_in').selectAll().where('user_id', '=', userId).orderBy('id').execute()

  /** A failed one is written behind the answer's back. */
  const untilNoted = (userId: string, count: number) =>
    expect.poll(async () => (await rowsOf(userId)).length).toBe(count)

  describe('the history of sign-ins', () => {
    test('lists each one, also failed ones, the newest first, with a description', async ({ player }) => {
      const { secret: _secret } = await turnOnSecondFactor(portal, player.token)
      await login(player, { password: 'sai-mat-khau', address: AMERICA, agent: WINDOWS })
      await untilNoted(player.id, 2)
      await login(player, { otp: '000000' })
      await untilNoted(player.id, 3)
      const { data, payload } = await history(player.token)
      expect(data).toEqual([
        {
          id: expect.any(String),
          at: expect.stringMatching(/^\d{4}-.*Z$/),
          device: 'Chrome trên Android',
          place: 'Việt Nam',
          outcome: 'wrong-second-factor',
          is_new_device: false,
        },
        expect.objectContaining({
          device: 'Chrome trên Windows',
          place: 'Hoa Kỳ',
          outcome: 'wrong-password',
        }),
        expect.objectContaining({ place: 'Mạng nội bộ', outcome: 'succeeded', is_new_device: false }),
      ])
      expect(payload).toEqual({ pagination: { page: 1, items_per_page: 20, total: 3, last_page: 1 } })
    })

    test('is the player’s own, page by page', async () => {
      const [player, stranger] = [await aPlayer(portal), await aPlayer(portal)]
      await login(player)
      await login(player)
      const ids = (await rowsOf(player.id)).map(({ id }) => id).toReversed()
      const second = await history(player.token, '?page=2&items_per_page=2')
      expect(second.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
      expect(second.payload.pagination).toEqual({ page: 2, items_per_page: 2, total: 3, last_page: 2 })
      expect((await history(stranger.token)).payload.pagination.total).toBe(1)
      expect((await history(player.token, '?items_per_page=101')).code).toBe('VALIDATION')
    })

    test('stores no address, nor anything it could be read back from', async ({ player }) => {
      await login(player, { address: '27.64.123.45' })
      const sessions = await portal.db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', player.id)
        .execute()
      const stored = JSON.stringify([await rowsOf(player.id), sessions])
      expect(stored).toContain('"VN"')
      for (const part of ['27.64.123', '123.45']) expect(stored).not.toContain(part)
    })

    test('stores at most a hundred failures a day', async ({ player }) => {
      await sql`
      INSERT INTO sign_in (user_id, outcome, user_agent, place, origin_hash, is_new_device)
      SELECT ${player.id}::bigint, 'wrong-password', '', 'VN', sha256('x'), false FROM generate_series(1, 99)`.execute(
        portal.db,
      )
      for (let guess = 0; guess < 3; guess++) await login(player, { password: 'sai-mat-khau' })
      await untilNoted(player.id, 101)
      await login(player)
      expect((await rowsOf(player.id)).map(({ outcome }) => outcome).at(-1)).toBe('succeeded')
    })

    test('ends after ninety days: entries are hidden, and then removed', async ({ player }) => {
      await sql`
      INSERT INTO sign_in (user_id, at, outcome, user_agent, place, origin_hash, is_new_device)
      SELECT ${player.id}::bigint, now() - interval '90 days' - n * interval '1 second', 'succeeded', '', 'VN',
             sha256('x'), false FROM generate_series(0, 2400) AS n`.execute(portal.db)
      expect((await history(player.token)).payload.pagination.total).toBe(1)
      const loops = startSessionJobs(portal.deps)
      try {
        await expect.poll(async () => (await rowsOf(player.id)).length, { timeout: 10_000 }).toBe(1)
      } finally {
        await Promise.all(loops.map((loop) => loop.stop()))
      }
    })
  })

  describe('a new device', () => {
    let player: TestPlayer
    let email: string
    beforeEach(async () => {
      player = await aPlayer(portal)
      email = `${player.username}@example.com`
      await giveVerifiedEmail(portal, player.id, email)
    })

    const flags = async () => (await rowsOf(player.id)).map((row) => row.is_new_device)

    test('is written about once, with when, what and where, and what to do', async () => {
      await login(player)
      await login(player)
      expect(await flags()).toEqual([false, true, false])
      const letters = await lettersTo(portal, email)
      expect(letters).toHaveLength(1)
      expect(letters[0]).toMatchObject({
        kind: 'new-device',
        username: player.username,
        subject: 'Tài khoản của bạn vừa đăng nhập trên thiết bị mới',
      })
      const text = letters[0]!.paragraphs.join('\n')
      expect(text).toContain('Thiết bị: Chrome trên Android')
      expect(text).toContain('Nơi: Việt Nam')
      expect(text).toMatch(/Lúc: .*\d{2}:\d{2}/)
      expect(letters[0]!.closing?.join(' ')).toContain('đổi mật khẩu ngay')
    })

    test('is another kind of browser, or another network; another address of the same one is not', async () => {
      await login(player)
      await login(player, { address: '113.161.10.99', agent: ANDROID.replace('140.0', '141.0') })
      await login(player, { agent: WINDOWS })
      await login(player, { address: '14.160.1.1' })
      expect(await flags()).toEqual([false, true, false, true, true])
    })

    test('is not one whose cookie the account knows, wherever it is by now', async () => {
      const first = await login(player)
      const cookie = String(first.headers['set-cookie']).split(';')[0] as string
      await login(player, { cookie, address: AMERICA, agent: WINDOWS })
      const stranger = await aPlayer(portal)
      await login(stranger, { cookie })
      expect(await flags()).toEqual([false, true, false])
      expect((await rowsOf(stranger.id)).map((row) => row.is_new_device)).toEqual([false, true])
    })

    test('is not one from which somebody only guessed', async () => {
      await login(player, { password: 'sai-mat-khau', address: AMERICA })
      await untilNoted(player.id, 2)
      await login(player, { address: AMERICA })
      expect((await flags()).at(-1)).toBe(true)
      expect(await lettersTo(portal, email)).toHaveLength(1)
    })

    test('is not written about to an address that was never proved', async () => {
      await portal.db
        .updateTable('user_contacts')
        .set({ email_verified_at: null })
        .where('user_id', '=', player.id)
        .execute()
      await login(player)
      expect([await flags(), await lettersTo(portal, email)]).toEqual([[false, true], []])
    })

    test('that signs in twice at once is written about once', async () => {
      await Promise.all([login(player), login(player), login(player)])
      expect((await flags()).filter(Boolean)).toHaveLength(1)
      expect(await lettersTo(portal, email)).toHaveLength(1)
    })
  })

  describe('the live sessions of a player', () => {
    test('show where they were opened', async ({ player }) => {
      await login(player, { address: '2402:800:61ab::7' })
      const { body } = await portal.call('GET', '/api/auth/sessions', { token: player.token })
      expect(body.map(({ place }: { place: string }) => place)).toEqual(['Việt Nam', 'Mạng nội bộ'])
    })

    test('end all at once except the calling one; other players’ sessions do not', async () => {
      const [player, stranger] = [await aPlayer(portal), await aPlayer(portal)]
      const others = [await login(player), await login(player)].map(({ body }) => body.access_token as string)
      const answer = await portal.call('DELETE', '/api/auth/sessions', { token: player.token })
      expect([answer.status, answer.body]).toEqual([204, ''])
      const list = async (token: string) => (await portal.call('GET', '/api/auth/sessions', { token })).status
      for (const token of others) expect(await list(token)).toBe(401)
      expect([await list(player.token), await list(stranger.token)]).toEqual([200, 200])
    })

    test('are fifty at most: one more ends the one that was longest unused', async ({ player }) => {
      const used = (await login(player)).body.access_token as string
      await sql`
      INSERT INTO sessions (user_id, token_hash, expires_at, user_agent, last_used_at)
      SELECT ${player.id}::bigint, sha256(('more' || n)::bytea), now() + interval '1 day', '',
             now() - interval '1 hour' FROM generate_series(1, 48) AS n`.execute(portal.db)
      await sql`UPDATE sessions SET last_used_at = now() - interval '2 hours'
               WHERE user_id = ${player.id}::bigint AND token_hash = sha256(${player.token}::bytea)`.execute(
        portal.db,
      )
      expect((await login(player)).status).toBe(200)
      const { body } = await portal.call('GET', '/api/auth/sessions', { token: used })
      expect(body).toHaveLength(50)
      expect((await portal.call('GET', '/api/auth/sessions', { token: player.token })).status).toBe(401)
    })
  })
})
