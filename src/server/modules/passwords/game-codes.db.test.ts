import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startGameJobs, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { aPhone, anEmail, fromAnywhere, giveVerifiedEmail, provePhone } from '#tests/support/mail.ts'
import { useGameApp } from '#tests/support/fixtures.ts'
import { oneWaits } from '#tests/support/locks.ts'
import { anAddress, aPlayer, appCode, turnOnSecondFactor } from '#tests/support/players.ts'
import { lastTrailRow } from '#tests/support/trail-rows.ts'
import { answerRequests } from './link-requests.service.ts'

const { portal, game } = useGameApp()

type GameNotice = Parameters<NonNullable<GameBridge['showNotice']>>[0]

const NEW_PASSWORD = 'mat-khau-moi-1'

/** The game says what it takes now, or was heard of for the last time some minutes ago. */
async function hearOfGame({ notices, minutesAgo = 0 }: { notices: boolean; minutesAgo?: number }) {
  const describeGame: GameBridge['describeGame'] = async (about) => {
    const description = (await portal.deps.game.describeGame?.(about)) ?? null
    return description && { ...description, notices }
  }
  const deps = { ...portal.deps, game: { ...portal.deps.game, describeGame } }
  await Promise.all(startGameJobs(deps, async () => new Date()).map((loop) => loop.stop()))
  const readAt = new Date(Date.now() - minutesAgo * 60_000)
  await portal.db.updateTable('game_description').set({ read_at: readAt }).execute()
}

const post = (path: string, body: object, from = anAddress()) =>
  portal.call('POST', `/api/password/${path}`, { body, from })

/** Asks for a code, and answers what the game was given to show. */
async function ask(username: string): Promise<GameNotice[]> {
  await hearOfGame({ notices: true })
  expect(await post('request-game-code', { username })).toMatchObject({ status: 200 })
  return answerAll()
}

async function answerAll(): Promise<GameNotice[]> {
  const shown: GameNotice[] = []
  const watched = {
    ...portal.deps.game,
    async showNotice(notice: GameNotice) {
      await portal.deps.game.showNotice?.(notice)
      shown.push(notice)
    },
  }
  while (await answerRequests({ ...portal.deps, game: watched }));
  return shown
}

const codeOf = ([notice]: GameNotice[]) => /: (\d{6}),/.exec(notice?.text ?? '')?.[1] ?? ''
const other = (code: string) => (code === '000000' ? '000001' : '000000')

const reset = (username: string, code: string, more: object = {}, from = anAddress()) =>
  post('reset-via-game', { username, code, password: NEW_PASSWORD, ...more }, from)

const refused = { status: 422, body: expect.objectContaining({ code: 'OTP_INVALID' }) }

describe('a forgotten password, by a code in the game', () => {
  test('is set once by the code that the account’s player saw; all other sessions end', async () => {
    const player = await aPlayer(portal)
    const shown = await ask(player.username.toUpperCase())
    expect(shown).toEqual([expect.objectContaining({ account: player.username.toLowerCase() })])
    expect(shown[0]?.text.length).toBeLessThanOrEqual(200)
    expect(game.calls.filter((call) => call.includes('/v1/notices/'))).toContain(
      `PUT /v1/notices/${shown[0]?.id}`,
    )
    const done = await reset(player.username, codeOf(shown))
    expect(done).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
    expect(done.headers['cache-control']).toBe('no-store')
    const isAlive = { body: { access_token: player.token } }
    expect((await portal.call('POST', '/api/auth/verify', isAlive)).status).toBe(401)
    const login = { body: { username: player.username, password: NEW_PASSWORD }, headers: fromAnywhere() }
    expect((await portal.call('POST', '/api/auth/login', login)).status).toBe(200)
    expect(await lastTrailRow(portal, { action: 'users.reset-password' })).toMatchObject({
      details: { way: 'game', sessions_ended: 1 },
    })
    expect(await reset(player.username, codeOf(shown), { password: 'mat-khau-moi-2' })).toMatchObject(refused)
  })

  test('is no way for who has proved a phone or an address, before the code or after it', async () => {
    const [byPhone, byEmail] = [await aPlayer(portal), await aPlayer(portal)]
    const codes = [codeOf(await ask(byPhone.username)), codeOf(await ask(byEmail.username))]
    await provePhone(portal, { player: byPhone, phone: aPhone() })
    await giveVerifiedEmail(portal, byEmail.id, anEmail())
    expect(await reset(byPhone.username, codes[0] ?? '')).toMatchObject(refused)
    expect(await reset(byEmail.username, codes[1] ?? '')).toMatchObject(refused)
    expect([...(await ask(byPhone.username)), ...(await ask(byEmail.username))]).toEqual([])
  })

  test('is no way for who proves an address while the reset is under way', async () => {
    const player = await aPlayer(portal)
    const code = codeOf(await ask(player.username))
    const answer = await portal.db.transaction().execute(async (tx) => {
      const held = await sql`SELECT FROM users WHERE id = ${player.id}::bigint FOR UPDATE`.execute(tx)
      expect(held.rows).toHaveLength(1)
      const begun = reset(player.username, code)
      await oneWaits(portal.db)
      await giveVerifiedEmail(portal, player.id, anEmail())
      return { begun }
    })
    expect(await answer.begun).toMatchObject(refused)
  })

  test('is given to the game again when that has failed, and then the newer code counts', async () => {
    const player = await aPlayer(portal)
    await hearOfGame({ notices: true })
    expect(await post('request-game-code', { username: player.username })).toMatchObject({ status: 200 })
    const failed: GameNotice[] = []
    const failing = {
      ...portal.deps.game,
      async showNotice(notice: GameNotice) {
        failed.push(notice)
        throw new Error('the game closed the connection')
      },
    }
    await answerRequests({ ...portal.deps, game: failing })
    expect(failed).toHaveLength(1)
    await portal.db
      .updateTable('password_request')
      .set({ next_attempt_at: new Date(0) })
      .execute()
    await portal.db.deleteFrom('failed_work').execute()
    const shown = await answerAll()
    expect(shown).toHaveLength(1)
    expect(await reset(player.username, codeOf(failed))).toMatchObject(refused)
    expect((await reset(player.username, codeOf(shown))).status).toBe(200)
  })

  test('a code serves its own account only, dies at the fifth wrong try and ends after ten minutes', async () => {
    const [player, stranger] = [await aPlayer(portal), await aPlayer(portal)]
    const code = codeOf(await ask(player.username))
    expect(await reset(stranger.username, code)).toMatchObject(refused)
    for (let tries = 0; tries < 5; tries++)
      expect(await reset(player.username, other(code))).toMatchObject(refused)
    expect(await reset(player.username, code)).toMatchObject(refused)
    const second = codeOf(await ask(player.username))
    const madeAt = new Date(Date.now() - 11 * 60_000)
    await portal.db
      .updateTable('one_time_code')
      .set({ made_at: madeAt })
      .where('channel', '=', 'game')
      .execute()
    expect(await reset(player.username, second)).toMatchObject(refused)
  })

  test('one address has four wrong tries of an account', async () => {
    const player = await aPlayer(portal)
    const code = codeOf(await ask(player.username))
    const from = anAddress()
    for (let tries = 0; tries < 4; tries++) await reset(player.username, other(code), {}, from)
    expect((await reset(player.username, code, {}, from)).status).toBe(429)
    expect((await reset(player.username, code)).status).toBe(200)
  })

  test('asks for the second factor where the account has one', async () => {
    const player = await aPlayer(portal)
    const { secret } = await turnOnSecondFactor(portal, player.token)
    const code = codeOf(await ask(player.username))
    expect((await reset(player.username, code)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await reset(player.username, code, { otp: appCode(secret, 1) })).status).toBe(200)
  })

  test('of many at once with one code, one sets its password', async () => {
    const player = await aPlayer(portal)
    const code = codeOf(await ask(player.username))
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((letter) => reset(player.username, code, { password: `mat-khau-${letter}1` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
  })
})

describe('known and unknown names', () => {
  test('a request answers alike, and an unknown name has nothing shown', async () => {
    const player = await aPlayer(portal)
    await hearOfGame({ notices: true })
    const [known, unknown] = [
      await post('request-game-code', { username: player.username }),
      await post('request-game-code', { username: 'khongcoaica' }),
    ]
    expect(known.status).toBe(200)
    expect(unknown).toMatchObject({ status: known.status, body: { message: known.body.message } })
    expect(await answerAll()).toHaveLength(1)
    const wrong = [await reset(player.username, '000000'), await reset('khongcoaica', '000000')]
    expect(wrong[0]).toMatchObject(refused)
    expect(wrong[1]?.body.message).toBe(wrong[0]?.body.message)
  })

  test('five requests an hour of a name are taken, whoever asks', async () => {
    await hearOfGame({ notices: true })
    const statuses: number[] = []
    for (let asked = 0; asked < 6; asked++)
      statuses.push((await post('request-game-code', { username: 'aihoinhieu' })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test.each([
    ['takes no notices', { notices: false }],
    ['has been silent', { notices: true, minutesAgo: 10 }],
  ])('a game that %s is said, with the next step', async (_, heard) => {
    await hearOfGame(heard)
    const answer = await post('request-game-code', { username: 'khongcoaica' })
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('Nhờ hỗ trợ') } })
  })

  test('a game that stops to take notices is given no code that was asked for before', async () => {
    const player = await aPlayer(portal)
    await hearOfGame({ notices: true })
    expect(await post('request-game-code', { username: player.username })).toMatchObject({ status: 200 })
    await hearOfGame({ notices: false })
    expect(await answerAll()).toEqual([])
  })
})
