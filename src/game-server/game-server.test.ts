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

  test('has a control server for this machine only, which sets the faults', async () => {
    const door = await openControlServer(server.faults, 0)
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
      expect((await send(url, { path: `/v1/deliveries/${id}` })).body).toEqual({ status: 'applied' })
    }
    const repeats = await Promise.all(ids.map((id) => put(url, id, 2)))
    expect(new Set(repeats.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await luongAt(url)).toBe(320)
  })
})
