import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDeliveryWorker } from '#server/modules/purchases/index.ts'
import { startTestApp, type TestApp, anotherProcess } from '#tests/support/app.ts'
import { aBuyer, buyLuongFor } from '#tests/support/purchases.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'
import { changeSettings } from '#tests/support/settings.ts'

let portal: TestApp
let deaf: Awaited<ReturnType<typeof anotherProcess>>
beforeAll(async () => {
  portal = await startTestApp({ overrides: { withPages: true } })
  deaf = await anotherProcess(portal, { isDeaf: true })
})
afterAll(async () => {
  await deaf.close()
  await portal.close()
})

/** A call of the process that receives no notices. */
const get = (url: string, token?: string) =>
  deaf.app.inject({ url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })

async function secondsUntil(isSo: () => Promise<boolean>): Promise<number> {
  const since = performance.now()
  while (!(await isSo())) await sleep(50)
  return (performance.now() - since) / 1_000
}

async function stream(url: string, token: string) {
  const answer = await deaf.app.inject({
    url,
    headers: { authorization: `Bearer ${token}` },
    payloadAsStream: true,
  })
  const readable = answer.stream() as Readable
  let text = ''
  readable.on('data', (piece: Buffer) => (text += piece.toString()))
  return { text: () => text, isOver: () => readable.readableEnded, end: () => void readable.destroy() }
}

// At once: what they measure is waiting.
describe.concurrent('a process that hears no notice finds by itself', { timeout: 20_000 }, () => {
  test('a changed setting within 3 s, on its pages and in its calls', async () => {
    const { token } = await anOperator(portal, 'owner')
    await get('/home')
    await changeSettings(portal, { token, values: { site_name: 'Cổng Vẫn Biết' } })
    const isShown = async () => (await get('/home')).body.includes('Cổng Vẫn Biết')
    expect(await secondsUntil(isShown)).toBeLessThan(3)
    expect((await get('/api/settings')).json()).toMatchObject({ site_name: 'Cổng Vẫn Biết' })
  })

  test('a closed section within 3 s', async () => {
    const { token } = await anOperator(portal, 'owner')
    const player = await aPlayer(portal)
    const isClosed = async () => {
      const answer = await deaf.app.inject({
        method: 'POST',
        url: '/api/user/transfer',
        headers: { authorization: `Bearer ${player.token}` },
        payload: {},
      })
      return answer.statusCode === 503
    }
    expect(await isClosed()).toBe(false)
    const path = '/api/operator/maintenance'
    const { updated_at } = (await portal.call('GET', path, { token })).body
    const body = { sections: { transfer: { message: 'Tạm đóng', until: null } }, updated_at, reason: 'Thử' }
    expect((await portal.call('PUT', path, { token, body })).status).toBe(200)
    expect(await secondsUntil(isClosed)).toBeLessThan(3)
  })

  test('an ended session within 5 s, and ends its streams within 6 s; what changes something is refused at once', async () => {
    const { token } = await aPlayer(portal)
    const watched = await stream('/api/user/deliveries/events', token)
    expect((await get('/api/auth/sessions', token)).statusCode).toBe(200)
    await portal.call('POST', '/api/auth/logout', { token })
    const changing = await deaf.app.inject({
      method: 'POST',
      url: '/api/user/active',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(changing.statusCode).toBe(401)
    const isRefused = async () => (await get('/api/auth/sessions', token)).statusCode === 401
    expect(await secondsUntil(isRefused)).toBeLessThan(5)
    expect(await secondsUntil(async () => watched.isOver())).toBeLessThan(6)
  })

  test('a purchase: delivered within 3 s, and shown on an open page within 6 s', async () => {
    const { player, character } = await aBuyer(portal, 20_000)
    const watched = await stream('/api/user/deliveries/events', player.token)
    const loops = startDeliveryWorker(deaf.deps)
    await sleep(200)
    const id = await buyLuongFor(portal, { player, character })
    const isThere = async () => {
      const { state } = await portal.db
        .selectFrom('delivery')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return state === 'delivered'
    }
    expect(await secondsUntil(isThere)).toBeLessThan(3)
    expect(await secondsUntil(async () => watched.text().includes(id))).toBeLessThan(6)
    watched.end()
    await Promise.all(loops.map((loop) => loop.stop()))
  })
})
