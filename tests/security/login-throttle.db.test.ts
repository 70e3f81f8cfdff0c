import { describe, expect, test } from 'vitest'
import { LOGINS_PER_ADDRESS } from '#server/modules/sessions/sessions.errors.ts'
import { forgetOldDevices } from '#server/modules/sessions/sign-ins.queries.ts'
import { anAddress, aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { type TestAnswer, startTestApp, useTestApp } from '#tests/support/app.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { manyCalls } from './many-calls.ts'

const portal = useTestApp()

type Login = { username: string; password?: string; from?: string; cookie?: string }

const login = ({ username, password = 'sai-mat-khau', from = anAddress(), cookie }: Login) =>
  portal.call('POST', '/api/auth/login', {
    from,
    body: { username, password },
    ...(cookie === undefined ? {} : { headers: { cookie } }),
  })

const cookieOf = (answer: TestAnswer) => String(answer.headers['set-cookie']).split(';')[0]!

async function aPlayerAtHome(): Promise<{ player: TestPlayer; cookie: string }> {
  const player = await aPlayer(portal)
  const answer = await login({ ...player, from: player.address })
  expect(answer.status).toBe(200)
  return { player, cookie: cookieOf(answer) }
}

const events = (name: string) =>
  portal
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"${name}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('security row 04: passwords tried on one account', { timeout: 180_000 }, () => {
  test('security row 04: from one address ten in five minutes are checked, however many come at once', async () => {
    const { username, password } = await aPlayer(portal)
    const from = anAddress()
    expect(await manyCalls(100, () => login({ username, from }))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 90,
    })
    const late = await login({ username, password, from })
    expect(late.status).toBe(429)
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(late.headers['retry-after'])).toBeLessThanOrEqual(300)
    expect(late.body.message).toMatch(
      /^Bạn thao tác quá nhanh, vui lòng thử lại sau ít phút\. .*Quên mật khẩu.*SMS hoặc email$/,
    )
    // Another case of the name is the same account.
    expect((await login({ username: username.toUpperCase(), from })).status).toBe(429)
    expect((await login({ username, password })).status).toBe(200)
  })

  test('security row 04: from many addresses fifty an hour are checked', async () => {
    const { username } = await aPlayer(portal)
    expect(await manyCalls(100, () => login({ username }))).toEqual({
      INVALID_CREDENTIALS: 50,
      RATE_LIMITED: 50,
    })
  })

  test('security row 04: an unknown username is counted and answered like a known one', async () => {
    const from = anAddress()
    expect(await manyCalls(20, () => login({ username: 'khongcoai', from }))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 10,
    })
    expect(await manyCalls(60, () => login({ username: 'khongcoai2' }))).toEqual({
      INVALID_CREDENTIALS: 50,
      RATE_LIMITED: 10,
    })
  })

  test('security row 04: a player gets in by the right password from a known device all the while', async () => {
    const { player, cookie } = await aPlayerAtHome()
    const { username, password, address } = player
    await manyCalls(100, () => login({ username }))
    await manyCalls(100, () => login({ username, from: address }))
    // Neither a new place nor the neighbour behind the same address gets in now …
    expect((await login({ username, password })).status).toBe(429)
    expect((await login({ username, password, from: address })).status).toBe(429)
    // … but the device does, at home and elsewhere.
    expect((await login({ username, password, from: address, cookie })).status).toBe(200)
    expect((await login({ username, password, cookie })).status).toBe(200)
  })

  test('security row 04: so does one without a cookie, from an address the account knows', async () => {
    const { username, password, address } = await aPlayer(portal)
    await manyCalls(60, () => login({ username }))
    expect((await login({ username, password, from: address })).status).toBe(200)
  })

  test('security row 04: a known device has exactly ten attempts of its own', async () => {
    const { player, cookie } = await aPlayerAtHome()
    const { username, password } = player
    expect(await manyCalls(20, () => login({ username, cookie }))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 10,
    })
    expect((await login({ username, password, cookie })).status).toBe(429)
    // Its tries are not those of others.
    expect((await login({ username, password })).status).toBe(200)
  })

  test('security row 04: right passwords use nothing up', async () => {
    const { username, password } = await aPlayer(portal)
    const from = anAddress()
    expect(await manyCalls(30, () => login({ username, password, from }))).toEqual({ 200: 30 })
  })
})

describe('security row 05: passwords tried on many accounts', { timeout: 300_000 }, () => {
  // Many passwords cost many hashes, which the tests cannot remember.
  test.each(hasAllCases ? ['spray', 'stuffing'] : ['spray'])(
    'security row 05: a %s is held up at 200 an address, and the log reports it',
    async (kind) => {
      const from = anAddress()
      const tried = await manyCalls(300, (number) =>
        login({
          username: `${kind}${number}`,
          ...(kind === 'stuffing' ? { password: `mk-lo-${number}` } : {}),
          from,
        }),
      )
      expect(tried).toEqual({ INVALID_CREDENTIALS: 200, RATE_LIMITED: 100 })
      const alarms = events('login.alarm')
      // Those beyond the limit are checked too, so that a right one opens.
      expect(alarms.filter(({ address }) => address === from).map(({ count }) => count)).toEqual([
        100, 200, 300,
      ])
      expect(alarms.filter(({ pattern }) => pattern === 'everywhere')).not.toEqual([])
      expect(events('login.throttled').at(-1)).toMatchObject({
        address: from,
        limit: 'login-address-unknown',
        requestId: expect.any(String),
      })
    },
  )

  test('security row 05: names that nobody has close no address to right passwords, and reveal no names', async () => {
    const { username, password } = await aPlayer(portal)
    const from = anAddress()
    await manyCalls(201, (number) => login({ username: `hangxom${number}`, from }))
    const wrong = [await login({ username, from }), await login({ username: 'khongcoai4', from })]
    expect(wrong.map(({ status, body }) => [status, body.code])).toEqual([
      [429, 'RATE_LIMITED'],
      [429, 'RATE_LIMITED'],
    ])
    expect((await login({ username, password, from })).status).toBe(200)
  })

  test('security row 05: a player whose address is under attack gets in from the device the account knows', async () => {
    const { player, cookie } = await aPlayerAtHome()
    const { username, password } = player
    const from = anAddress()
    for (let tries = 0; tries < 200; tries++) await portal.deps.limits.consume(LOGINS_PER_ADDRESS, from)
    expect((await login({ username, password, from })).status).toBe(429)
    expect((await login({ username: 'khongcoai3', from })).status).toBe(429)
    expect((await login({ username, password, from, cookie })).status).toBe(200)
  })
})

describe('the cookie of a device', () => {
  test('is out of reach of scripts and pages, lasts 180 days, and is Secure where the portal is', async () => {
    const player = await aPlayer(portal)
    const given = String((await login({ ...player })).headers['set-cookie'])
    expect(given).toMatch(/^device=[A-Za-z0-9_-]{43}; Path=\/api; Max-Age=15552000; HttpOnly; SameSite=Lax$/)
    const secure = await startTestApp({ environment: { PUBLIC_URL: 'https://ninja.example' } })
    const { username, password } = await aPlayer(secure)
    const answer = await secure.call('POST', '/api/auth/login', { body: { username, password } })
    expect(String(answer.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Lax; Secure$/)
    await secure.close()
  })

  test('is set with a session only, stays the same, and does not sign in', async () => {
    const { player, cookie } = await aPlayerAtHome()
    expect((await login({ username: player.username, cookie })).headers['set-cookie']).toBeUndefined()
    expect(cookieOf(await login({ ...player, cookie }))).toBe(cookie)
    const answer = await portal.call('GET', '/api/auth/sessions', { headers: { cookie } })
    expect(answer.status).toBe(401)
    // What is no cookie of ours is replaced.
    expect(cookieOf(await login({ ...player, cookie: 'device=<script>' }))).toMatch(/^device=[\w-]{43}$/)
  })

  test('is stored as a hash, of the newest twenty devices and addresses of an account', async () => {
    const { player, cookie } = await aPlayerAtHome()
    for (let device = 0; device < 22; device++) expect((await login({ ...player })).status).toBe(200)
    const rows = await portal.db
      .selectFrom('known_device')
      .selectAll()
      .where('user_id', '=', player.id)
      .execute()
    expect(rows.filter(({ kind }) => kind === 'cookie')).toHaveLength(20)
    expect(rows.filter(({ kind }) => kind === 'address')).toHaveLength(20)
    expect(JSON.stringify(rows)).not.toContain(cookie.slice('device='.length))
  })

  test('is forgotten after 180 days, and an address after 30', async () => {
    const { player, cookie } = await aPlayerAtHome()
    const { username, password, address } = player
    const age = (days: number) =>
      portal.db
        .updateTable('known_device')
        .set({ last_seen_at: new Date(Date.now() - days * 86_400_000) })
        .where('user_id', '=', player.id)
        .execute()
    const known = async () => {
      const { rows } = await portal.db
        .selectFrom('known_device')
        .select('kind')
        .where('user_id', '=', player.id)
        .execute()
        .then((found) => ({ rows: found.map(({ kind }) => kind).sort() }))
      return [...new Set(rows)]
    }
    await manyCalls(60, () => login({ username }))
    await age(31)
    expect((await login({ username, password, from: address })).status).toBe(429)
    await forgetOldDevices(portal.deps)
    expect(await known()).toEqual(['cookie'])
    await age(181)
    expect((await login({ username, password, cookie })).status).toBe(429)
    await forgetOldDevices(portal.deps)
    expect(await known()).toEqual([])
  })
})
