import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { contentChanges } from '#server/domain/content.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp, anotherProcess } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { updateSection } from './maintenance.queries.ts'

const portal = useTestApp()
let player: TestPlayer
let payee: string
const { owner } = useOperators(portal, { owner: 'owner' })
beforeAll(async () => {
  payee = (await aPlayer(portal)).username
  player = await aPlayer(portal, { coins: 100_000, isActivated: true })
})
afterEach(() => change({ all: null, recharge: null, exchange: null, gift: null, transfer: null }))

const get = async () => (await portal.call('GET', '/api/operator/maintenance', { token: owner.token })).body

async function change(sections: object, updated_at?: string) {
  const body = { sections, updated_at: updated_at ?? (await get()).updated_at, reason: 'Bảo trì' }
  return portal.call('PUT', '/api/operator/maintenance', { token: owner.token, body })
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const CLOSED = { message: 'Nâng cấp máy chủ', until: inHours(2) }

const transfer = (token = player.token) =>
  portal.call('POST', '/api/user/transfer', { token, body: { payee, amount: 1 } })

describe('a closed section', () => {
  test('refuses its own calls with message and end, and no others', async () => {
    expect((await change({ transfer: CLOSED })).body.sections).toMatchObject({ transfer: CLOSED, all: null })
    const refused = await transfer()
    expect(refused).toMatchObject({
      status: 503,
      body: {
        code: 'MAINTENANCE',
        message: expect.stringContaining('Nâng cấp máy chủ'),
        until: CLOSED.until,
      },
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(7_000)
    const order = await portal.call('POST', '/api/recharge/orders', {
      token: player.token,
      body: { channel: 2, amount: 20_000 },
    })
    expect(order.body.code).not.toBe('MAINTENANCE')
  })

  test.each([
    ['recharge', '/api/recharge/orders'],
    ['exchange', '/api/exchange/store'],
    ['gift', '/api/user/buy-package'],
    ['transfer', '/api/user/transfer'],
  ])('%s closes %s, also before the body is read', async (section, path) => {
    await change({ [section]: CLOSED })
    expect((await portal.call('POST', path, { token: player.token, body: {} })).body.code).toBe('MAINTENANCE')
    await change({ [section]: null })
    expect((await portal.call('POST', path, { token: player.token, body: {} })).body.code).not.toBe(
      'MAINTENANCE',
    )
  })

  test('is open to operators, at the player site too', async () => {
    await change({ all: CLOSED })
    expect((await transfer()).status).toBe(503)
    expect((await transfer(owner.playerToken)).body.code).not.toBe('MAINTENANCE')
  })

  test('opens by itself when its time is over', async () => {
    await change({ transfer: CLOSED })
    await inTransaction(portal.db, async (tx) => {
      await updateSection(tx, 'transfer', {
        message: 'Hết giờ',
        until: new Date(Date.now() - 1_000).toISOString(),
      })
      await contentChanges(tx, 'maintenance')
    })
    expect((await transfer()).status).toBe(200)
    expect((await portal.call('GET', '/api/settings')).body).not.toHaveProperty('maintenance')
  })

  test('without an end stays closed until it is opened', async () => {
    await change({ transfer: { message: 'Tạm đóng', until: null } })
    expect((await transfer()).body).toMatchObject({ message: 'Tạm đóng', until: null })
  })
})

test('all closes what players do and own, but not what is public, the session or the bank', async () => {
  await change({ all: CLOSED })
  const codeOf = async (method: 'GET' | 'POST', path: string, token?: string) =>
    (await portal.call(method, path, { body: method === 'POST' ? {} : undefined, token })).body?.code
  expect(await codeOf('POST', '/api/auth/login')).toBe('MAINTENANCE')
  expect(await codeOf('GET', '/api/user/transactions', player.token)).toBe('MAINTENANCE')
  expect(await codeOf('POST', '/api/auth/verify')).not.toBe('MAINTENANCE')
  expect(await codeOf('POST', '/api/webhooks/sepay')).not.toBe('MAINTENANCE')
  expect(await codeOf('POST', '/api/operator/session')).not.toBe('MAINTENANCE')
  for (const path of ['/api/settings', '/api/posts', '/api/servers'])
    expect((await portal.call('GET', path)).status).toBe(200)
})

test('pages learn from the settings what is closed', async () => {
  await change({ exchange: CLOSED })
  const { body } = await portal.call('GET', '/api/settings')
  expect(body.maintenance).toMatch(/^Đổi lượng tạm đóng: /)
  expect(body.maintenance).toContain(CLOSED.message)
})

test('another process closes at once', async () => {
  const other = await anotherProcess(portal)
  try {
    const status = async () =>
      (
        await other.app.inject({
          method: 'POST',
          url: '/api/user/transfer',
          headers: { authorization: `Bearer ${player.token}` },
          payload: {},
        })
      ).statusCode
    expect(await status()).toBe(422)
    await change({ transfer: CLOSED })
    await expect.poll(status, { timeout: 1_000, interval: 20 }).toBe(503)
  } finally {
    await other.close()
  }
})

describe('an operator', () => {
  test('leaves a row in the trail with what was before and after', async () => {
    await change({ gift: CLOSED })
    const filter = encodeURIComponent('{"action":"maintenance.update"}')
    const { body } = await portal.call('GET', `/api/operator/audit?filter=${filter}`, { token: owner.token })
    expect(body[0]).toMatchObject({
      subject: { type: 'maintenance', id: 'gift' },
      details: { before: { gift: null }, after: { gift: CLOSED } },
    })
  })

  test('a change that is based on an older state is refused with the present one', async () => {
    const { updated_at } = await get()
    await change({ gift: CLOSED })
    const late = await change({ gift: null }, updated_at)
    expect(late).toMatchObject({ status: 409, body: { present: { sections: { gift: CLOSED } } } })
  })

  test('cannot close into the past or without a message', async () => {
    expect((await change({ gift: { ...CLOSED, until: inHours(-1) } })).body.errors).toHaveProperty('until')
    expect((await change({ gift: { message: ' ', until: null } })).status).toBe(422)
    expect((await change({ nothing: CLOSED })).status).toBe(422)
  })
})
