import { beforeAll, describe, expect, test } from 'vitest'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { CALLS_PER_ADDRESS, CALLS_PER_SESSION } from '#server/platform/http/api.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { removeExpiredCounters } from '#server/platform/limits/shared-limiter.ts'
import type { Limit } from '#server/platform/limits/limits.ts'
import { asOwner } from '#tests/support/databases.ts'
import { openAccounts } from '#tests/support/bank.ts'
import { anAddress, aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { type TestAnswer, startTestApp, startBeside, useTestApp } from '#tests/support/app.ts'
import { manyCalls } from './many-calls.ts'

const portal = useTestApp()

function expectTooFast(answer: TestAnswer, secondsMax: number): void {
  expect(answer.status).toBe(429)
  expect(answer.body).toMatchObject({
    code: 'RATE_LIMITED',
    message: 'Bạn thao tác quá nhanh, vui lòng thử lại sau ít phút',
    requestId: expect.any(String),
  })
  const retryAfter = Number(answer.headers['retry-after'])
  expect(retryAfter).toBeGreaterThan(0)
  expect(retryAfter).toBeLessThanOrEqual(secondsMax)
}

/** As if so many calls had been answered a moment ago: no machine has to make them within the minute that is counted. */
async function spend(limit: Limit, key: string, calls: number): Promise<void> {
  for (let call = 0; call < calls; call++) await portal.deps.limits.consume(limit, key)
}

async function sessionOf({ id }: TestPlayer): Promise<string> {
  const session = portal.db.selectFrom('sessions').select('id').where('user_id', '=', id)
  return (await session.executeTakeFirstOrThrow()).id
}

let phones = 0
const register = (from: string, given: object = {}) => {
  phones++
  const username = `dangky${phones}x${Date.now().toString(36)}`
  return portal.call('POST', '/api/auth/register', {
    from,
    body: {
      username,
      phone: `0355${String(phones).padStart(6, '0')}`,
      password: 'trucdem-2024',
      name: username,
      ...given,
    },
  })
}

describe('any call', () => {
  const get = (from: string) =>
    portal.call('POST', '/api/auth/verify', { from, body: { access_token: 'khong-phai-token' } })

  test('1,200 a minute are answered to one address, whatever X-Forwarded-For it sends; others are not affected', async () => {
    const from = anAddress()
    await spend(CALLS_PER_ADDRESS, clientKey(from), 1_180)
    // A client's own entry in the header is to the left of the proxy's.
    const answers = await manyCalls(21, (number) => get(`203.0.113.${number}, ${from}`))
    expect(answers).toEqual({ UNAUTHENTICATED: 20, RATE_LIMITED: 1 })
    expectTooFast(await portal.call('GET', '/api/servers', { from }), 60)
    expect((await portal.call('GET', '/api/servers', { from: anAddress() })).status).toBe(200)
    // A malformed request is refused first, and signed requests have no limit.
    expect((await portal.call('POST', '/api/auth/login', { from, body: {} })).body.code).toBe('VALIDATION')
    const notification = await portal.call('POST', '/api/webhooks/sepay', { from, body: {} })
    expect(notification.status).toBe(401)
  })

  test('an IPv6 household is one address, however many it uses', async () => {
    const network = '2405:4800:1:2'
    await spend(CALLS_PER_ADDRESS, `${network}::/64`, 1_180)
    const answers = await manyCalls(21, (number) => get(`${network}::${number.toString(16)}`))
    expect(answers).toEqual({ UNAUTHENTICATED: 20, RATE_LIMITED: 1 })
  })

  test('1,200 a minute are answered to one session, from any number of addresses', async () => {
    const [player, other] = [await aPlayer(portal), await aPlayer(portal)]
    const read = ({ token }: TestPlayer, from = anAddress()) =>
      portal.call('GET', '/api/auth/sessions', { token, from })
    await spend(CALLS_PER_SESSION, await sessionOf(player), 1_180)
    expect(await manyCalls(21, () => read(player))).toEqual({ 200: 20, RATE_LIMITED: 1 })
    expectTooFast(await read(player), 60)
    expect((await read(other)).status).toBe(200)
    expectTooFast(
      await portal.call('GET', '/api/user/transactions.csv', { token: player.token, from: anAddress() }),
      60,
    )
  })

  test('a repeat with a known key above the limit gets its stored answer', async () => {
    const [player, payee] = [
      await aPlayer(portal, { isActivated: true, coins: 1_000 }),
      await aPlayer(portal),
    ]
    const transfer = (key: string, amount: number) =>
      portal.call('POST', '/api/user/transfer', {
        token: player.token,
        from: anAddress(),
        key,
        body: { payee: payee.username, amount },
      })
    const first = await transfer('da-gui-roi', 100)
    expect(first.status).toBe(200)
    await expect(spend(CALLS_PER_SESSION, await sessionOf(player), 1_200)).rejects.toThrow('quá nhanh')
    expect((await transfer('da-gui-roi', 100)).body).toEqual(first.body)
    expect((await transfer('da-gui-roi', 101)).body.code).toBe('KEY_REUSED')
    expectTooFast(await transfer('chua-gui', 100), 60)
    const user = await portal.call('POST', '/api/auth/verify', { body: { access_token: player.token } })
    expect(user.body.balance).toBe(900)
  })

  test('the server’s own rendering is not counted', async () => {
    const rendering = await startTestApp({ overrides: { withPages: true } })
    const { limits } = rendering.deps
    // Rendering calls from this machine; as many calls as an address may make have come from it already.
    for (let calls = 0; calls < CALLS_PER_ADDRESS.points; calls++) {
      await limits.consume(CALLS_PER_ADDRESS, '127.0.0.1')
    }
    expectTooFast(await rendering.call('GET', '/api/servers'), 60)
    expect((await rendering.call('GET', '/download')).status).toBe(200)
    expect((await rendering.call('GET', '/post/900001')).status).toBe(404)
    await rendering.close()
  })
})

describe('security row 37: a forged X-Forwarded-For', () => {
  test('security row 37: does not avoid a limit, with or without a trusted proxy', async () => {
    const from = anAddress()
    const viaProxy = await manyCalls(31, (number) => register(`198.51.100.${number}, ${from}`))
    expect(viaProxy).toEqual({ 201: 30, RATE_LIMITED: 1 })

    const direct = await startTestApp({ environment: { TRUST_PROXY: '' } })
    const claimed = await manyCalls(31, (number) =>
      direct.call('POST', '/api/auth/register', {
        from: anAddress(),
        body: {
          username: `giamao${number}`,
          phone: `0366${String(number).padStart(6, '0')}`,
          password: 'trucdem-2024',
        },
      }),
    )
    expect(claimed).toEqual({ 201: 30, RATE_LIMITED: 1 })
    await direct.close()
  })
})

describe('registrations', { timeout: 120_000 }, () => {
  test('are thirty an hour for one address, refused ones too, since they reveal who exists', async () => {
    const from = anAddress()
    const { username } = await aPlayer(portal)
    expect(await manyCalls(30, () => register(from, { username }))).toEqual({ USERNAME_TAKEN: 30 })
    const rejectedName = 'khongduoctao'
    expectTooFast(await register(from, { username: rejectedName }), 3_600)
    expect((await register(from, { username: 'a b' })).body.code).toBe('VALIDATION')
    expect((await register(anAddress(), { username: rejectedName })).status).toBe(201)
  })
})

describe('recharge orders', { timeout: 120_000 }, () => {
  beforeAll(() => openAccounts(portal))

  const order = (player: TestPlayer, key: string, amount = 50_000) =>
    portal.call('POST', '/api/recharge/orders', { token: player.token, key, body: { channel: 2, amount } })

  test('are thirty an hour for one player; a known key is answered below and above the limit', async () => {
    const player = await aPlayer(portal)
    const first = await order(player, 'don-1')
    expect(first.status).toBe(201)
    // Repeats with one key count once.
    expect(await manyCalls(40, () => order(player, 'don-1'))).toEqual({ 201: 40 })
    // Two more are opened; the others are refused for the open ones, and count.
    expect(await manyCalls(29, (number) => order(player, `don-${number + 2}`))).toEqual({
      201: 2,
      LIMIT_EXCEEDED: 27,
    })
    expectTooFast(await order(player, 'don-cuoi'), 3_600)
    expect((await order(player, 'don-1')).body).toEqual(first.body)
    expect((await order(player, 'don-1', 60_000)).body.code).toBe('KEY_REUSED')
    const misshapen = { token: player.token, body: { channel: 2, amount: '50000' } }
    expect((await portal.call('POST', '/api/recharge/orders', misshapen)).body.code).toBe('VALIDATION')
    expect((await order(await aPlayer(portal), 'don-1')).status).toBe(201)
    const { body } = await portal.call('GET', '/api/recharge/orders', { token: player.token })
    expect(body.payload.pagination.total).toBe(3)
  })
})

describe('trades', () => {
  test('transfers, exchanges and gifts are 600 a minute for one player, together', async () => {
    const player = await aPlayer(portal, { isActivated: true, coins: 1_000 })
    const payee = await aPlayer(portal)
    const trade = (path: string, body: object, key?: string) =>
      portal.call('POST', path, { token: player.token, body, ...(key === undefined ? {} : { key }) })
    const transfer = (amount: number, key?: string) =>
      trade('/api/user/transfer', { payee: payee.username, amount }, key)
    const first = await transfer(10, 'chuyen-1')
    expect(first.status).toBe(200)
    const refused = [
      () => trade('/api/user/transfer', { payee: 'khongcoaica', amount: 1 }),
      () => trade('/api/exchange/store', { character_id: '1', amount: 10_000 }),
      () => trade('/api/user/buy-package', { character_id: '1', package_id: GIFT_PACKAGES[0]!.id }),
    ]
    // As if there had been 596 more in this minute.
    await asOwner(portal, "UPDATE rate_limit SET points = points + 596 WHERE key LIKE 'trades:%'")
    for (const call of refused) expect((await call()).status).toBe(422)
    for (const call of refused) expectTooFast(await call(), 60)
    expectTooFast(await transfer(10), 60)
    expect((await transfer(10, 'chuyen-1')).body).toEqual(first.body)
    expect((await transfer(11, 'chuyen-1')).body.code).toBe('KEY_REUSED')
    expect((await transfer(0)).body.code).toBe('VALIDATION')
    const user = await portal.call('POST', '/api/auth/verify', { body: { access_token: player.token } })
    expect(user.body.balance).toBe(990)
  })
})

describe('what is counted', { timeout: 120_000 }, () => {
  test('counts for every process and over restarts', async () => {
    const from = anAddress()
    expect(await manyCalls(30, () => register(from))).toEqual({ 201: 30 })
    const restarted = await startBeside(portal)
    const answer = await restarted.inject({
      method: 'POST',
      url: '/api/auth/register',
      headers: { 'x-forwarded-for': from },
      payload: { username: 'quamaychu', phone: '0377000001', password: 'trucdem-2024' },
    })
    expect(answer.statusCode).toBe(429)
    await restarted.close()
  })

  test('stores no personal data, and is removed when it has expired', async () => {
    const from = anAddress()
    await register(from)
    const counters = () => portal.db.selectFrom('rate_limit').selectAll().execute()
    expect(JSON.stringify(await counters())).not.toContain(from)
    await portal.db
      .insertInto('rate_limit')
      .values(
        Array.from({ length: 1_500 }, (_, number) => ({ key: `cu:${number}`, points: 1, expire: 1_000 })),
      )
      .execute()
    // Two batches, and nothing is left for a third.
    for (const isMore of [true, true, false]) expect(await removeExpiredCounters(portal.deps)).toBe(isMore)
    const left = await counters()
    expect(left.filter(({ key }) => key.startsWith('cu:'))).toEqual([])
    expect(left.length).toBeGreaterThan(0)
  })
})
