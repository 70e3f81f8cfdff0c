import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Good } from '#contract/deliveries.ts'
import type { Character } from '#game-server/world.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { startTestGame, type TestGame } from '#tests/support/game-server.ts'
import { BRIDGE_RULES } from '#tests/game-contract/bridge-rules.ts'
import { CHARGE_RULES } from '#tests/game-contract/charge-rules.ts'
import { cloneTemplate, type FreshDatabase } from '#tests/support/databases.ts'
import { giveStarterCharacters, openGameBridge, seedCharacters, type GameBridge } from './index.ts'

const SECRET = 'game-secret-of-the-tests'
const log = openLog('silent')

let fresh: FreshDatabase
let db: Db
let server: TestGame

beforeAll(async () => {
  const { adminUrl, template } = inject('postgres')
  fresh = await cloneTemplate(adminUrl, template)
  db = openDatabase({ url: fresh.appUrl, log, connectionsMax: 10 })
  server = await startTestGame({ secret: SECRET })
})
afterAll(async () => {
  await server.close()
  await db.destroy()
  await fresh.drop()
})

type Holdings = { luong: number; yen: number; items: { code: string; quantity: number }[] }
type Game = {
  open(): GameBridge
  /** Makes a character and answers its id. */
  aCharacter(wishes?: { account?: string; serverId?: string; level?: number; name?: string }): Promise<string>
  holdings(characterId: string): Promise<Holdings>
}

let made = 0

const embedded: Game = {
  open: () => openGameBridge({ db, log, http: null }),
  async aCharacter({ account = 'hoangtuan', serverId = '1', level = 50, name = `nhanvat${++made}` } = {}) {
    const row = await db
      .insertInto('game.characters')
      .values({ server_id: serverId, account, name, head: 5, class_id: 1, level })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  },
  async holdings(characterId) {
    const row = await db
      .selectFrom('game.characters')
      .select(['luong', 'yen'])
      .where('id', '=', characterId)
      .executeTakeFirstOrThrow()
    const items = await db
      .selectFrom('game.items')
      .select(['code', 'quantity'])
      .where('character_id', '=', characterId)
      .orderBy('line')
      .execute()
    return {
      luong: Number(row.luong),
      yen: Number(row.yen),
      items: items.map(({ code, quantity }) => ({ code, quantity: Number(quantity) })),
    }
  },
}

const inHttpGame = new Map<string, Character>()

const http: Game = {
  open: () => openGameBridge({ db, log, http: { url: server.url, secret: SECRET } }),
  async aCharacter({ account = 'hoangtuan', serverId = '1', level = 50, name = `nhanvat${++made}` } = {}) {
    const id = String(1_000 + made++)
    inHttpGame.set(id, server.addCharacter({ id, serverId, account, name, level }))
    return id
  },
  async holdings(characterId) {
    const { luong, yen, items } = inHttpGame.get(characterId)!
    return { luong, yen, items: items.map(({ code, quantity }) => ({ code, quantity })) }
  },
}

const luong = (quantity: number): Good[] => [{ kind: 'luong', quantity }]
const to = (characterId: string, goods: Good[] = luong(100)) => ({
  id: randomUUID() as string,
  serverId: '1',
  account: 'hoangtuan',
  characterId,
  goods,
})

describe.each([
  ['the embedded game', embedded],
  ['a game over HTTP', http],
])('%s', (_, world) => {
  test.each([...BRIDGE_RULES, ...CHARGE_RULES])('$name', async ({ check }) => {
    const account = `taikhoan${++made}`
    const characterId = await world.aCharacter({ account })
    // Somebody else, so that there is an order to be ranked in.
    await world.aCharacter()
    const luong = async () => (await world.holdings(characterId)).luong
    const subject = { game: world.open(), serverId: '1', account, characterId, luong, collectMs: 1_000 }
    const broken = (error: Error) => error.message
    expect(await check(subject).then(() => 'kept', broken)).toBe('kept')
  })

  test('lists an account’s characters on one server', async () => {
    const game = world.open()
    const account = `taikhoan${++made}`
    const name = `ten${made}`
    const id = await world.aCharacter({ account, name, level: 33 })
    await world.aCharacter({ account, serverId: '2' })
    await world.aCharacter({ account: 'nguoikhac' })
    expect(await game.listCharacters('1', account)).toEqual([{ id, name, head: 5, classId: 1, level: 33 }])
    expect(await game.listCharacters('1', 'khongcoai')).toEqual([])
  })

  test('hands over luong, yen and items, once however often the delivery is repeated', async () => {
    const game = world.open()
    const character = await world.aCharacter()
    const delivery = to(character, [
      { kind: 'luong', quantity: 2_999 },
      { kind: 'yen', quantity: 9_999_999 },
      { kind: 'item', code: 'pet', quantity: 1 },
      { kind: 'item', code: 'companion', quantity: 1, days: 3 },
    ])
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => game.deliver(delivery)))
    outcomes.push(await game.deliver({ ...delivery }))
    expect(outcomes).toEqual(Array.from({ length: 9 }, () => ({ kind: 'applied' })))
    expect(await world.holdings(character)).toEqual({
      luong: 2_999,
      yen: 9_999_999,
      items: [
        { code: 'pet', quantity: 1 },
        { code: 'companion', quantity: 1 },
      ],
    })
    expect(await game.deliveryStatus(delivery.id)).toBe('applied')
  })

  test('ranks characters by level', async () => {
    const game = world.open()
    const serverId = `r${++made}`
    await world.aCharacter({ serverId, level: 5 })
    await world.aCharacter({ serverId, level: 9 })
    await world.aCharacter({ serverId, level: 7 })
    const rows = await game.rankings('level', { serverId, limit: 2 })
    expect(rows.map(({ level, value, account, classId }) => [level, value, account, classId])).toEqual([
      [9, 9, 'hoangtuan', 1],
      [7, 7, 'hoangtuan', 1],
    ])
    const others = await game.rankings('level', { serverId, limit: 2, offset: 1 })
    expect(others.map(({ level }) => level)).toEqual([7, 5])
  })
})

describe('the embedded game alone', () => {
  test('journals a delivery and its goods in one commit, with an end for goods that last some days', async () => {
    const character = await embedded.aCharacter()
    const delivery = to(character, [{ kind: 'item', code: 'companion', quantity: 1, days: 7 }])
    await embedded.open().deliver(delivery)
    const item = await db
      .selectFrom('game.items')
      .select('expires_at')
      .where('delivery_id', '=', delivery.id)
      .executeTakeFirstOrThrow()
    expect((item.expires_at!.getTime() - Date.now()) / 86_400_000).toBeCloseTo(7, 1)
  })

  test('did surely not receive a delivery whose character was locked too long', async () => {
    const character = await embedded.aCharacter()
    const delivery = to(character)
    const outcome = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('game.characters').select('id').where('id', '=', character).forUpdate().execute()
      return embedded.open().deliver(delivery)
    })
    expect(outcome.kind).toBe('not-received')
    expect(await embedded.open().deliveryStatus(delivery.id)).toBe('unknown')
    expect(await embedded.open().deliver(delivery)).toEqual({ kind: 'applied' })
  }, 15_000)

  test('gives an account its starters once, also when two requests meet, and leaves seeded accounts alone', async () => {
    const game = embedded.open()
    const place = { username: 'NguoiMoi77', serverId: '1' }
    await Promise.all([giveStarterCharacters(game, place), giveStarterCharacters(game, place)])
    await giveStarterCharacters(game, place)
    const starters = await game.listCharacters('1', 'nguoimoi77')
    expect(starters).toHaveLength(3)
    expect(new Set(starters.map(({ classId }) => classId)).size).toBe(3)

    const seeded = { username: 'Minhchau', serverId: '1' }
    const characters = [{ name: 'anhsaodem', classId: 3, level: 45, head: 13, luong: 620, yen: 4_300_000 }]
    await seedCharacters(game, { ...seeded, characters })
    await seedCharacters(game, { ...seeded, characters })
    await giveStarterCharacters(game, seeded)
    const known = await game.listCharacters('1', 'minhchau')
    expect(known).toEqual([{ id: expect.any(String), name: 'anhsaodem', head: 13, classId: 3, level: 45 }])
    expect(await embedded.holdings(known[0]!.id)).toMatchObject({ luong: 620, yen: 4_300_000 })
  })
})

describe('a game over HTTP alone', () => {
  test('has no starters to give', async () => {
    await giveStarterCharacters(http.open(), { username: 'nguoimoi', serverId: '1' })
    expect(await http.open().listCharacters('1', 'nguoimoi')).toEqual([])
  })

  test('a row that cannot be read is left out, with one line in the log; a head or class it does not know stays', async () => {
    const game = http.open()
    const account = `taikhoan${++made}`
    const serverId = `x${made}`
    const add = (wishes: Partial<Character> & { name: string }) =>
      server.addCharacter({ id: String(1_000 + made++), account, serverId, ...wishes })
    add({ name: 'dauam', head: -1, classId: 99, level: 7 })
    add({ name: '' })
    add({ name: 'x\u0000y' })
    add({ name: 'capla', level: 'cao' as unknown as number })
    const characters = await game.listCharacters(serverId, account)
    expect(characters.map(({ name, head, classId, level }) => [name, head, classId, level])).toEqual([
      ['dauam', -1, 99, 7],
      ['capla', 5, 1, 0],
    ])
    const ranked = await game.rankings('luong', { serverId, limit: 10 })
    expect(ranked.map(({ name }) => name).toSorted()).toEqual(['capla', 'dauam'])
    const named = (await http.open().listCharacters(serverId, account)).map(({ id }) => id)
    expect(new Set(named).size).toBe(2)
  })

  test('tells where goods are, what it has, and which accounts it knows', async () => {
    const game = http.open()
    const account = `taikhoan${++made}`
    const character = await http.aCharacter({ account })
    const delivery = { ...to(character), account }
    server.collect({ reason: 'bag-full' })
    await game.deliver(delivery)
    expect(await game.collection!(delivery.id)).toEqual({ collectedAt: null, waiting: 'bag-full' })
    server.collect({ reason: null })
    expect(await game.collection!(delivery.id)).toEqual({ collectedAt: expect.any(Date), waiting: null })
    expect(await game.describeGame!({ accountsUntil: new Date() })).toMatchObject({
      boards: ['level', 'yen', 'luong'],
      collectorSeenAt: expect.any(Date),
    })
    const update = { isActivated: true, bannedUntil: new Date(), passwordChangedAt: null, version: 3 }
    expect(await game.isAccountKnown!('nguoi%20la_1')).toBe(false)
    expect(await game.putAccount!({ ...update, account: 'nguoi%20la_1' })).toBe('stored')
    expect(await game.isAccountKnown!('Nguoi%20La_1')).toBe(true)
    expect(await game.isAccountKnown!(account)).toBe(true)
  })

  test('that tracks no collection and keeps no accounts says so', async () => {
    const old = createServer((request, response) => {
      const body = { '/v1/deliveries': { status: 'applied' }, '/v1/accounts': { status: 'not-kept' } }[
        request.url?.split('/').slice(0, 3).join('/') ?? ''
      ]
      response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}))
    }).listen(0, '127.0.0.1')
    await once(old, 'listening')
    try {
      const { port } = old.address() as AddressInfo
      const game = openGameBridge({ db, log, http: { url: `http://127.0.0.1:${port}`, secret: SECRET } })
      const update = { isActivated: true, bannedUntil: null, passwordChangedAt: null, version: 1 }
      expect(await game.collection!(randomUUID())).toBeNull()
      expect(await game.describeGame!({ accountsUntil: null })).toBeNull()
      expect(await game.putAccount!({ ...update, account: 'nguoi' })).toBe('not-kept')
      expect(await game.isAccountKnown!('nguoi')).toBeNull()
    } finally {
      old.close()
    }
  })

  test('that cannot be reached received nothing', async () => {
    const gone = await startTestGame({ secret: SECRET })
    await gone.close()
    const game = openGameBridge({ db, log, http: { url: gone.url, secret: SECRET } })
    expect(await game.deliver(to('1'))).toMatchObject({ kind: 'not-received' })
    await expect(game.deliveryStatus(randomUUID())).rejects.toThrow('ECONNREFUSED')
    await expect(game.listCharacters('1', 'hoangtuan')).rejects.toThrow('ECONNREFUSED')
  })

  test('that is busy received nothing', async () => {
    const character = await http.aCharacter()
    server.failNext('busy')
    expect(await http.open().deliver(to(character))).toMatchObject({ kind: 'not-received' })
    expect((await http.holdings(character)).luong).toBe(0)
  })

  test.each(['error-after', 'error-before', 'reset-after', 'reset-before'] as const)(
    'leaves us not knowing after %s, and a repeat with the same id is safe',
    async (fault) => {
      const game = http.open()
      const character = await http.aCharacter()
      const delivery = to(character)
      server.failNext(fault)
      expect(await game.deliver(delivery)).toMatchObject({ kind: 'unknown' })
      expect(await game.deliveryStatus(delivery.id)).toBe(fault.endsWith('after') ? 'applied' : 'unknown')
      expect(await game.deliver(delivery)).toEqual({ kind: 'applied' })
      expect((await http.holdings(character)).luong).toBe(100)
    },
  )

  test('that never answers is given up after ten seconds', async () => {
    const character = await http.aCharacter()
    server.failNext('hang-after')
    const started = performance.now()
    expect(await http.open().deliver(to(character))).toMatchObject({ kind: 'unknown' })
    const seconds = (performance.now() - started) / 1000
    expect(seconds).toBeGreaterThan(9)
    expect(seconds).toBeLessThan(13)
  }, 20_000)

  test('with another secret refuses every call, which proves nothing about earlier attempts', async () => {
    const character = await http.aCharacter()
    const game = openGameBridge({ db, log, http: { url: server.url, secret: 'the-wrong-secret-entirely' } })
    expect(await game.deliver(to(character))).toEqual({ kind: 'unknown', cause: 'HTTP 401' })
    await expect(game.cancel(randomUUID())).rejects.toThrow('401')
  })
})
