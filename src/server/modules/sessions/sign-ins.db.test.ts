import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer, turnOnSecondFactor } from '#tests/support/players.ts'
import { startSessionJobs } from './sessions.jobs.ts'

const ANDROID = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const HANOI = '113.161.10.20'
const AMERICA = '8.8.8.8'

const portal = useTestApp({ environment: { TRUST_PROXY: '127.0.0.1' } })

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
  test('lists each one, also failed ones, the newest first, with a description', async () => {
    const player = await aPlayer(portal)
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

  test('keeps no address, nor anything it could be read back from', async () => {
    const player = await aPlayer(portal)
    await login(player, { address: '27.64.123.45' })
    const sessions = await portal.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', player.id)
      .execute()
    const kept = JSON.stringify([await rowsOf(player.id), sessions])
    expect(kept).toContain('"VN"')
    for (const part of ['27.64.123', '123.45']) expect(kept).not.toContain(part)
  })

  test('stores at most a hundred failures a day', async () => {
    const player = await aPlayer(portal)
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

  test('ends after ninety days: entries are hidden, and then removed', async () => {
    const player = await aPlayer(portal)
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
  test('tell where they were opened', async () => {
    const player = await aPlayer(portal)
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

  test('are fifty at most: one more ends the one that was longest unused', async () => {
    const player = await aPlayer(portal)
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
