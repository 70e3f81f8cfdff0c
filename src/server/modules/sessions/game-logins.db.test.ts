import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { signGameCall } from '#contract/game/signature.ts'
import { GAME_SECRET, testWith, useGameApp } from '#tests/support/fixtures.ts'
import { othersLike, spellingsOf } from '#tests/support/spellings.ts'
import { activatePlayer, anAddress, aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { LOGINS_PER_ADDRESS, UNKNOWN_NAMES_PER_ADDRESS } from './sessions.errors.ts'

const OLD_SECRET = 'the-old-secret-of-the-game'
const PATH = '/api/game/logins'

const { portal } = useGameApp({ GAME_SERVER_SECRET: `${GAME_SECRET},${OLD_SECRET}` })
const test = testWith(portal)

type Signing = { secret?: string; secondsOff?: number; header?: string | null }

/** The game asks about a login, from its own address; `address` is the player's. */
async function post(body: unknown, { secret = GAME_SECRET, secondsOff = 0, header }: Signing = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const seconds = Math.floor(Date.now() / 1000) + secondsOff
  const signature = header ?? signGameCall(secret, seconds, { method: 'POST', path: PATH, body: text })
  const answer = await portal.app.inject({
    method: 'POST',
    url: PATH,
    headers: {
      'content-type': 'application/json',
      ...(header === null ? {} : { 'x-portal-signature': signature }),
    },
    payload: text,
  })
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
}

const login = (player: Pick<TestPlayer, 'username' | 'password'>, address = anAddress()) =>
  post({ server_id: '1', account: player.username, password: player.password, address })

/** As many names that nobody has as an address may try. */
async function spendUnknownNames(address: string): Promise<void> {
  for (let at = 1; at < UNKNOWN_NAMES_PER_ADDRESS.points; at++)
    await portal.deps.limits.consume(UNKNOWN_NAMES_PER_ADDRESS, address)
  const last = await login({ username: 'khongcoai1', password: 'sai-mat-khau' }, address)
  expect(last.body).toEqual({ status: 'wrong' })
}

const wrong = (player: Pick<TestPlayer, 'username'>, password = 'sai-mat-khau') =>
  login({ username: player.username, password })

describe('a login that the game asks about', () => {
  test('is ok for an activated player, however the name is typed, tells its one spelling, and opens no session', async ({
    player,
  }) => {
    await activatePlayer(portal, player)
    const { username, password } = player
    const expected = { status: 200, body: { status: 'ok', account: username } }
    expect(await login(player)).toEqual(expected)
    for (const typed of spellingsOf(username))
      expect(await login({ username: typed, password }), JSON.stringify(typed)).toEqual(expected)
    for (const other of othersLike(username))
      expect((await login({ username: other, password })).body, JSON.stringify(other)).toEqual({
        status: 'wrong',
      })
    const sessions = await portal.call('GET', '/api/auth/sessions', { token: player.token })
    expect(sessions.body).toHaveLength(1)
  })

  test('says that the account is not activated only to who knows its password', async ({ player }) => {
    expect((await wrong(player)).body).toEqual({ status: 'wrong' })
    expect((await login(player)).body).toEqual({ status: 'not-activated', account: player.username })
  })

  test.each(['%', '_', '%%', '________', "' OR '1'='1", '\\'])(
    'takes a password and a name for what they are: %s opens nothing',
    async (pattern) => {
      const player = await aPlayer(portal)
      expect((await wrong(player, pattern)).body).toEqual({ status: 'wrong' })
      expect((await login({ username: pattern, password: player.password })).body).toEqual({
        status: 'wrong',
      })
    },
  )

  test('names the end of a ban, and none for a ban for good; a lifted one is over at once', async ({
    player,
    owner,
  }) => {
    await activatePlayer(portal, player)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const act = (name: string, body: object) =>
      portal.call('POST', `/api/operator/users/${player.id}/${name}`, {
        token: owner.token,
        key: randomUUID(),
        body: { scope: 'sign-in', reason: 'thử nghiệm', ...body },
      })
    const account = player.username
    expect((await act('ban', { until })).status).toBe(200)
    expect((await login(player)).body).toEqual({ status: 'banned', account, until })
    expect((await wrong(player)).body).toEqual({ status: 'wrong' })
    expect((await act('ban', { until: null })).status).toBe(200)
    expect((await login(player)).body).toEqual({ status: 'banned', account })
    expect((await act('lift-ban', {})).status).toBe(200)
    expect((await login(player)).body).toEqual({ status: 'ok', account })
  })

  test('has the new password at once, also when the old one was right a moment ago', async ({ player }) => {
    await activatePlayer(portal, player)
    const address = anAddress()
    expect((await login(player, address)).body.status).toBe('ok')
    expect((await login(player, address)).body.status).toBe('ok')
    const changed = await portal.call('POST', '/api/user/change-password', {
      token: player.token,
      body: { current_password: player.password, password: 'mat-khau-moi-9' },
    })
    expect(changed.status).toBe(200)
    expect((await login(player, address)).body.status).toBe('wrong')
    expect((await login({ ...player, password: 'mat-khau-moi-9' }, address)).body.status).toBe('ok')
  })
})

describe('guessing passwords through the game', () => {
  test('ends after ten tries of one address, also with the right password; another player is not held up', async ({
    player,
  }) => {
    const address = anAddress()
    await activatePlayer(portal, player)
    expect((await login(player, address)).body.status).toBe('ok')
    const guess = () => login({ username: player.username, password: 'sai-mat-khau' }, address)
    const answers = []
    for (let tries = 0; tries < 11; tries++) answers.push((await guess()).body.status)
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 'wrong'), 'slow-down'])
    expect((await login(player, address)).body.status).toBe('slow-down')
    expect((await login(await aPlayer(portal), address)).body.status).toBe('not-activated')
    expect((await login(player, anAddress())).body.status).toBe('ok')
  })
})

describe('guesses of others', () => {
  test('do not lock out a player at the address where the game let them in, however many they are', async ({
    player,
  }) => {
    const home = anAddress()
    expect((await login(player, home)).body.status).toBe('not-activated')
    const answers = []
    for (let at = 0; at < 51; at++) answers.push((await wrong(player)).body.status)
    expect(answers.at(-1)).toBe('slow-down')
    expect((await login(player)).body.status).toBe('slow-down')
    expect((await login(player, home)).body.status).toBe('not-activated')
    // Also with a password that has to be checked again.
    expect((await login({ ...player, password: 'sai-mat-khau' }, home)).body.status).toBe('wrong')
    expect((await login(player, home)).body.status).toBe('not-activated')
  })

  test('at names that nobody has do not close an address; wrong passwords there are answered alike', async ({
    player,
  }) => {
    const carrier = anAddress()
    await spendUnknownNames(carrier)
    expect((await login(player, carrier)).body.status).toBe('not-activated')
    const other = await aPlayer(portal)
    const known = await login({ username: other.username, password: 'sai-mat-khau' }, carrier)
    const unknown = await login({ username: 'khongcoai9', password: 'sai-mat-khau' }, carrier)
    expect([known, unknown]).toEqual([
      { status: 200, body: { status: 'slow-down' } },
      { status: 200, body: { status: 'slow-down' } },
    ])
    expect((await login(other, carrier)).body.status).toBe('not-activated')
  })

  test('are answered alike by the site too, with the same waiting time, and a right password opens', async ({
    player,
  }) => {
    const carrier = anAddress()
    await spendUnknownNames(carrier)
    const post = (username: string, password: string) =>
      portal.call('POST', '/api/auth/login', { body: { username, password }, from: carrier })
    const known = await post(player.username, 'sai-mat-khau')
    const unknown = await post('khongcoai9', 'sai-mat-khau')
    for (const { status, body, headers } of [known, unknown]) {
      expect([status, body.code]).toEqual([429, 'RATE_LIMITED'])
      expect(Math.abs(Number(headers['retry-after']) - Number(known.headers['retry-after']))).toBeLessThan(30)
    }
    expect((await post(player.username, player.password)).status).toBe(200)
  })

  test('at players close the address to every name', async ({ player }) => {
    const address = anAddress()
    for (let at = 0; at < LOGINS_PER_ADDRESS.points; at++)
      await portal.deps.limits.consume(LOGINS_PER_ADDRESS, address)
    for (const username of [player.username, 'khongcoai9'])
      expect((await login({ username, password: player.password }, address)).body.status).toBe('slow-down')
  })
})

describe('the signature of the game', () => {
  const body = { server_id: '1', account: 'khongcoai', password: 'sai-mat-khau', address: '113.161.7.8' }

  test('may be made with the new and the old secret', async () => {
    expect((await post(body)).status).toBe(200)
    expect((await post(body, { secret: OLD_SECRET })).status).toBe(200)
  })

  test.each([
    ['is missing', { header: null }],
    ['is empty', { header: 't=0,v1=' }],
    ['is of another secret', { secret: 'another-secret-of-a-game' }],
    ['is six minutes old', { secondsOff: -360 }],
    ['is of six minutes ahead', { secondsOff: 360 }],
  ])('is refused when it %s', async (_, signing: Signing) => {
    expect((await post(body, signing)).status).toBe(401)
  })

  test.each([
    ['no JSON', '{', 400],
    ['a missing password', { ...body, password: undefined }, 422],
    ['an address that is none', { ...body, address: '/113.161.7.8:5000' }, 422],
    ['a name of a thousand letters', { ...body, account: 'a'.repeat(1_000) }, 422],
  ])('over %s is answered with what is wrong', async (_, wrongBody, status) => {
    const answer = await post(wrongBody)
    expect(answer.status).toBe(status)
    if (status === 422) expect(Object.keys(answer.body.errors as object)).toHaveLength(1)
  })
})
