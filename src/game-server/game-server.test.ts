import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startGameProcess, type GameProcess } from '#tests/support/processes.ts'
import { openControlServer } from './control-server.ts'
import { startGameServer, type GameServer } from './game-server.ts'
import { newcomers, World } from './world.ts'

const NEW = 'the-new-secret-123'
const OLD = 'the-old-secret-123'
const CHARACTER = 'moi-1-1-nguoimoi'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-game-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

type Call = { method?: string; path: string; body?: string; secret?: string }

async function send(url: string, { method = 'GET', path, body, secret = NEW }: Call) {
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret)
    .update(`${seconds}.${method}.${path}.${body ?? ''}`)
    .digest('hex')
  const answer = await fetch(url + path, {
    method,
    headers: { 'x-portal-signature': `t=${seconds},v1=${signature}` },
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, body: (await answer.json()) as any }
}

const bodyOf = (quantity: number, characterId = CHARACTER) =>
  JSON.stringify({
    server_id: '1',
    account: 'nguoimoi',
    character_id: characterId,
    goods: [{ kind: 'luong', quantity }],
  })

const put = (url: string, id: string, quantity = 1, secret = NEW) =>
  send(url, { method: 'PUT', path: `/v1/deliveries/${id}`, body: bodyOf(quantity), secret })

async function luongAt(url: string): Promise<number> {
  const { body } = await send(url, { path: '/v1/rankings/luong?server_id=1&limit=1000' })
  return (body as { name: string; value: number }[]).find(({ name }) => name === 'truongnguoimoi')!.value
}

describe('the reference game server', () => {
  let server: GameServer
  beforeEach(async () => {
    server = await startGameServer({ secrets: [NEW, OLD], dataDir, world: new World(newcomers) })
  })
  afterEach(() => server.close())

  test('believes the new secret and the old one while they are changed, and no third', async () => {
    expect((await put(server.url, randomUUID(), 1, OLD)).status).toBe(200)
    expect((await put(server.url, randomUUID(), 1, NEW)).status).toBe(200)
    expect((await put(server.url, randomUUID(), 1, 'a-third-secret-123')).status).toBe(401)
  })

  test('names the field that is not as it should be', async () => {
    const id = randomUUID()
    const delivery = (body: string) => send(server.url, { method: 'PUT', path: `/v1/deliveries/${id}`, body })
    const wrong = (field: string) => ({ status: 400, body: { error: 'bad-request', field } })
    expect(await delivery('{')).toEqual(wrong('body'))
    expect(await delivery('{"server_id":"1"}')).toEqual(wrong('account'))
    expect(await delivery(bodyOf(1).replace('1}', '"1"}'))).toEqual(wrong('goods.0.quantity'))
    expect(await put(server.url, 'khong-phai-uuid')).toEqual(wrong('id'))
    expect(await send(server.url, { path: '/v1/characters?server_id=1' })).toEqual(wrong('account'))
    expect(await send(server.url, { path: '/v1/rankings/level?server_id=1&limit=0' })).toEqual(wrong('limit'))
    for (const offset of ['-1', 'x', '1000000'])
      expect(
        await send(server.url, { path: `/v1/rankings/level?server_id=1&limit=1&offset=${offset}` }),
      ).toEqual(wrong('offset'))
  })

  test('refuses a body or an address that is too long', async () => {
    const body = bodyOf(1, 'x'.repeat(70_000))
    expect(
      (await send(server.url, { method: 'PUT', path: `/v1/deliveries/${randomUUID()}`, body })).status,
    ).toBe(413)
    expect((await send(server.url, { path: `/v1/characters?account=${'x'.repeat(3_000)}` })).status).toBe(414)
  })

  test('gives every account of the portal the same three characters, and no characters to others', async () => {
    const list = (account: string) =>
      send(server.url, { path: `/v1/characters?server_id=1&account=${account}` })
    const { body } = await list('nguoimoi')
    expect(body).toHaveLength(3)
    expect((await list('nguoimoi')).body).toEqual(body)
    expect((await list('khong-co-ai')).body).toEqual([])
  })

  const charge = (id: string, luong: number) =>
    send(server.url, {
      method: 'PUT',
      path: `/v1/charges/${id}`,
      body: JSON.stringify({ server_id: '1', account: 'nguoimoi', character_id: CHARACTER, luong }),
    })
  const refund = (id: string) => send(server.url, { method: 'POST', path: `/v1/charges/${id}/refund` })
  const chargeStatusOf = async (id: string) =>
    (await send(server.url, { path: `/v1/charges/${id}` })).body.status

  test('takes a charge from who is in the game and has enough, and names the field that is wrong', async () => {
    const { collector } = server
    await put(server.url, randomUUID(), 10)
    expect(await charge(randomUUID(), 11)).toEqual({
      status: 422,
      body: { status: 'refused', reason: 'insufficient' },
    })
    collector.change({ ...collector.settings, offline: [CHARACTER] })
    const away = randomUUID()
    expect((await charge(away, 4)).body).toEqual({ status: 'refused', reason: 'offline' })
    collector.change({ ...collector.settings, offline: [] })
    // Final for this id.
    expect((await charge(away, 4)).body).toEqual({ status: 'refused', reason: 'offline' })
    expect(await chargeStatusOf(away)).toBe('unknown')
    expect((await charge(randomUUID(), 4)).status).toBe(200)
    expect(await luongAt(server.url)).toBe(6)
    expect((await charge(randomUUID(), 0)).body).toEqual({ error: 'bad-request', field: 'luong' })
    expect((await charge('khong-phai-uuid', 1)).body).toEqual({ error: 'bad-request', field: 'id' })
    expect((await send(server.url, { path: '/v1/game' })).body.charges).toBe(true)
  })

  test('has charges and refunds after a restart, and what is given back waits like goods', async () => {
    const [kept, returned, never, late] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await put(server.url, randomUUID(), 10)
    for (const id of [kept, returned, late]) expect((await charge(id, 2)).status).toBe(200)
    for (const id of [returned, never, returned]) expect((await refund(id)).body.status).toBe('refunded')
    server.collector.change({ ...server.collector.settings, offline: [CHARACTER] })
    expect((await refund(late)).body.status).toBe('refunded')
    expect(await luongAt(server.url)).toBe(6)
    await server.close()
    server = await startGameServer({ secrets: [NEW, OLD], dataDir, world: new World(newcomers) })
    expect(await luongAt(server.url)).toBe(8)
    for (const id of [returned, never, late]) {
      expect((await refund(id)).body.status).toBe('refunded')
      expect((await charge(id, 2)).body).toEqual({ status: 'refused', reason: 'refunded' })
    }
    expect([await chargeStatusOf(kept), await chargeStatusOf(late)]).toEqual(['applied', 'refunded'])
    expect((await charge(kept, 2)).status).toBe(200)
    expect(await luongAt(server.url)).toBe(8)
  })

  test('a fault can meet a charge: refused for good, or taken without an answer', async () => {
    await put(server.url, randomUUID(), 10)
    const [refused, taken] = [randomUUID(), randomUUID()]
    server.faults.failNext('refuse')
    expect((await charge(refused, 1)).body).toEqual({ status: 'refused', reason: 'offline' })
    server.faults.failNext('error-after')
    expect((await charge(taken, 3)).status).toBe(500)
    expect(await chargeStatusOf(taken)).toBe('applied')
    expect((await charge(taken, 3)).status).toBe(200)
    expect(await luongAt(server.url)).toBe(7)
  })

  const collectionOf = async (id: string) => (await send(server.url, { path: `/v1/deliveries/${id}` })).body

  test('collects at once, or says why goods wait, and gives them when they fit', async () => {
    const { collector } = server
    const [early, late] = [randomUUID(), randomUUID()]
    await put(server.url, early, 2)
    expect(await collectionOf(early)).toMatchObject({ collected_at: expect.any(String), waiting: null })
    collector.change({ ...collector.settings, offline: [CHARACTER] })
    await put(server.url, late, 3)
    expect(await collectionOf(late)).toEqual({ status: 'applied', collected_at: null, waiting: 'offline' })
    expect(await luongAt(server.url)).toBe(2)
    collector.change({ ...collector.settings, offline: [] })
    expect(await collectionOf(late)).toMatchObject({ collected_at: expect.any(String), waiting: null })
    expect(await luongAt(server.url)).toBe(5)
    expect(await collectionOf(randomUUID())).toEqual({ status: 'unknown', collected_at: null, waiting: null })
  })

  test('says what does not fit, and holds nothing else up for it', async () => {
    const deliver = async (goods: object[]) => {
      const id = randomUUID()
      const body = bodyOf(1).replace(/"goods":.*/, `"goods":${JSON.stringify(goods)}}`)
      await send(server.url, { method: 'PUT', path: `/v1/deliveries/${id}`, body })
      const { waiting } = await collectionOf(id)
      return waiting as unknown
    }
    const luong = (quantity: number) => ({ kind: 'luong', quantity })
    expect(await deliver([luong(1_999_999_999)])).toBeNull()
    expect(await deliver([luong(2)])).toBe('over-limit')
    expect(await deliver([luong(1), { kind: 'item', code: 'sword', quantity: 1 }])).toBe('unknown-item')
    server.collector.change({ ...server.collector.settings, bagMax: 0 })
    expect(await deliver([{ kind: 'item', code: 'pet', quantity: 1 }])).toBe('bag-full')
    expect(await deliver([{ kind: 'yen', quantity: 5 }])).toBeNull()
    const tooMuch = await put(server.url, randomUUID(), 2_000_000_001)
    expect(tooMuch).toEqual({ status: 422, body: { status: 'refused', reason: 'over-limit' } })
  })

  test('that does not collect gives no reason, and its last sign of life gets old', async () => {
    const game = async () => (await send(server.url, { path: '/v1/game' })).body
    server.collector.change({ ...server.collector.settings, isOn: false })
    const { collector_seen_at: stoppedAt, ...described } = await game()
    expect(described).toMatchObject({ boards: ['level', 'yen', 'luong'], max: { luong: 2_000_000_000 } })
    const id = randomUUID()
    await put(server.url, id)
    expect(await collectionOf(id)).toEqual({ status: 'applied', collected_at: null, waiting: null })
    expect((await game()).collector_seen_at).toBe(stoppedAt)
    expect((await send(server.url, { path: '/v1/game?accounts_until=now' })).body).toMatchObject({
      field: 'accounts_until',
    })
  })

  test('stores accounts, of each the highest version, and knows their names without case', async () => {
    const account = 'khongainao-1'
    const change = (version: number) =>
      JSON.stringify({ account, activated: true, banned_until: null, password_changed_at: null, version })
    const path = `/v1/accounts/${account}`
    const stored = async (at = path) => (await send(server.url, { path: at })).body
    expect(await stored()).toEqual({ status: 'unknown', version: null })
    for (const version of [7, 6, 7]) {
      const answer = await send(server.url, { method: 'PUT', path, body: change(version) })
      expect(answer).toEqual({ status: 200, body: { status: 'stored' } })
    }
    expect(await stored()).toEqual({ status: 'known', version: 7 })
    expect(await stored(path.toUpperCase().replace('/V1/ACCOUNTS', '/v1/accounts'))).toMatchObject({
      status: 'known',
    })
    const other = await send(server.url, { method: 'PUT', path: `${path}x`, body: change(1) })
    expect(other).toMatchObject({ status: 400, body: { field: 'account' } })
    await server.close()
    server = await startGameServer({ secrets: [NEW, OLD], dataDir, world: new World(newcomers) })
    expect(await stored()).toEqual({ status: 'known', version: 7 })
  })

  test('has a control server for this machine only, which sets the faults', async () => {
    const door = await openControlServer(server, 0)
    const json = { 'content-type': 'application/json' }
    const faults = JSON.stringify({ kinds: ['busy'], rate: 1, seed: 3, slowMs: 0 })
    const change = (headers: Record<string, string>, body: string) =>
      fetch(`${door.url}/faults`, { method: 'PUT', headers, body })
    expect((await change({ 'content-type': 'text/plain' }, faults)).status).toBe(415)
    expect((await change(json, '{"kinds":["mưa"]}')).status).toBe(400)
    expect(await statusWithHost(door.url, 'game.example.com')).toBe(403)
    expect((await change(json, faults)).status).toBe(200)
    expect((await put(server.url, randomUUID())).status).toBe(503)
    const settings = async () => (await fetch(`${door.url}/faults`)).json()
    expect((await change(json, '{"kinds":["hang","flap"]}')).status).toBe(200)
    const kinds = ['hang-before', 'hang-after', 'flap']
    expect(await settings()).toMatchObject({ kinds, rate: 1, seed: 3, slowMs: 0 })
    expect((await change(json, '{"rate":0.5}')).status).toBe(200)
    expect(await settings()).toMatchObject({ kinds, rate: 0.5, seed: 3, slowMs: 0 })
    const misspelt = await change(json, '{"faults":["hang"]}')
    expect([misspelt.status, await misspelt.json()]).toEqual([400, { error: 'bad-request', field: 'faults' }])
    expect((await change(json, '{"kinds":[],"rate":1}')).status).toBe(200)
    const collecting = { method: 'PUT', headers: json, body: '{"offline":["c1"]}' }
    expect((await fetch(`${door.url}/collecting`, collecting)).status).toBe(200)
    expect(server.collector.settings).toMatchObject({ isOn: true, offline: ['c1'] })
    const next = { method: 'POST', headers: json, body: '{"fault":"error-before","times":1}' }
    expect((await fetch(`${door.url}/faults/next`, next)).status).toBe(200)
    const id = randomUUID()
    expect([(await put(server.url, id)).status, (await put(server.url, id)).status]).toEqual([500, 200])
    await door.close()
  })
})

function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpRequest(`${url}/faults`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe('the reference game server as a process', () => {
  let game: GameProcess | undefined
  afterEach(() => game?.end())

  test('killed while it charges and gives back, it has taken each charge once, and given back once', async () => {
    game = await startGameProcess({ secret: NEW, dataDir })
    const { url, port } = game
    const all = Array.from({ length: 120 }, (_, index) => ({ id: randomUUID(), isRefunded: index % 3 === 0 }))
    const path = (id: string) => `/v1/charges/${id}`
    const place = { server_id: '1', account: 'nguoimoi', character_id: CHARACTER }
    const body = JSON.stringify({ ...place, luong: 2 })
    let answered = 0
    const settle = async ({ id, isRefunded }: (typeof all)[number]) => {
      expect((await send(url, { method: 'PUT', path: path(id), body })).status).toBe(200)
      if (isRefunded) await send(url, { method: 'POST', path: `${path(id)}/refund` })
      if (++answered === 40) await game?.end('SIGKILL')
    }
    expect((await put(url, randomUUID(), 500)).status).toBe(200)
    await Promise.allSettled(
      Array.from({ length: 6 }, async (_, chain) => {
        for (const one of all.slice(chain * 20, chain * 20 + 20)) await settle(one)
      }),
    )
    expect(answered).toBeLessThan(all.length)
    game = await startGameProcess({ secret: NEW, dataDir, port })
    for (const { id, isRefunded } of all) {
      const again = await send(url, { method: 'PUT', path: path(id), body })
      expect([200, ...(isRefunded ? ['refunded'] : [])]).toContain(again.body.reason ?? again.status)
      if (isRefunded) await send(url, { method: 'POST', path: `${path(id)}/refund` })
    }
    expect(await luongAt(url)).toBe(500 - 2 * 80)
  })

  test('killed while working, it has everything it answered, and doubles nothing', async () => {
    game = await startGameProcess({ secret: NEW, dataDir })
    const { url, port } = game
    const ids = Array.from({ length: 160 }, () => randomUUID())
    const answered: string[] = []
    // Eight at a time, so that some are always under way.
    const chains = Array.from({ length: 8 }, async (_, chain) => {
      for (const id of ids.slice(chain * 20, chain * 20 + 20)) {
        const answer = await put(url, id, 2).catch(() => null)
        if (answer?.status !== 200) return
        if (answered.push(id) === 60) await game?.end('SIGKILL')
      }
    })
    await Promise.all(chains)
    expect(answered.length).toBeLessThan(ids.length)
    game = await startGameProcess({ secret: NEW, dataDir, port })
    for (const id of answered) {
      const { body } = await send(url, { path: `/v1/deliveries/${id}` })
      expect(body).toEqual({ status: 'applied', collected_at: expect.any(String), waiting: null })
    }
    const repeats = await Promise.all(ids.map((id) => put(url, id, 2)))
    expect(new Set(repeats.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await luongAt(url)).toBe(320)
  })
})
