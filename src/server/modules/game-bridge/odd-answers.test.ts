import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json, oddAnswers } from '#tests/support/odd-answers.ts'
import { everyNth } from '#tests/support/test-run.ts'
import type { GameBridge } from './game-bridge.rules.ts'
import { openHttpGame } from './http-game.client.ts'

let answering: RequestListener
let server: Server
let game: GameBridge

beforeAll(async () => {
  server = createServer((request, response) => answering(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  game = openHttpGame({ url, secret: 'game-secret-of-the-tests', callTimeoutMs: 300 })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const goods = { serverId: '1', account: 'hoangtuan', characterId: '1' }
const update = {
  account: 'hoangtuan',
  isActivated: true,
  bannedUntil: null,
  passwordChangedAt: null,
  version: 1,
}
const ranking = { serverId: '1', limit: 10 }

const questions = (): [words: object, ask: () => Promise<unknown>][] => [
  [{ status: 'unknown' }, () => game.deliveryStatus(randomUUID())],
  [{ status: 'cancelled' }, () => game.cancel(randomUUID())],
  [{ status: 'refunded' }, () => game.refundCharge(randomUUID())],
  [{ status: 'applied' }, () => game.collection!(randomUUID())],
  [{ status: 'stored' }, () => game.putAccount!(update)],
  [{ status: 'not-kept' }, () => game.isAccountKnown!('hoangtuan')],
  [[], () => game.listCharacters('1', 'hoangtuan')],
  [[], () => game.rankings('level', ranking)],
]

describe.each(everyNth(oddAnswers({ status: 'applied' }), 3, 1))('an answer of the game with %s', (name) => {
  const becomes = (words: object) => {
    answering = oddAnswers(words).find(([odd]) => odd === name)![1]
  }

  test('answers no question', async () => {
    for (const [words, ask] of questions()) {
      becomes(words)
      await expect(ask(), JSON.stringify(words)).rejects.toThrow()
    }
  })

  test('ends no delivery and no charge', async () => {
    for (const words of [{ status: 'applied' }, { status: 'refused', reason: 'bag-full' }]) {
      becomes(words)
      const delivery = await game.deliver({
        id: randomUUID(),
        ...goods,
        goods: [{ kind: 'luong', quantity: 1 }],
      })
      const charge = await game.charge({ id: randomUUID(), ...goods, luong: 1 })
      // 503 says that the call was not taken in, whoever says it: the same is sent again.
      for (const { kind } of [delivery, charge]) expect(['unknown', 'not-received']).toContain(kind)
    }
  })
})

test.each([
  ['a list of other things', [1, 'x', null]],
  ['a list of another program', [{ hello: 'world' }]],
])('%s is no list of characters or of a ranking', async (_name, list) => {
  answering = (_request, response) => json(response, 200, list)
  await expect(game.listCharacters('1', 'hoangtuan')).rejects.toThrow('no row of the list can be read')
  await expect(game.rankings('level', ranking)).rejects.toThrow('no row of the list can be read')
})

test('a page with 409 or 422 decides nothing, whatever its status says', async () => {
  for (const status of [409, 422]) {
    answering = (_request, response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('{"status":"refused","reason":"x"}')
    const outcome = await game.deliver({ id: randomUUID(), ...goods, goods: [] })
    expect(outcome).toEqual({ kind: 'unknown', cause: `HTTP ${status}` })
  }
})

test('a description whose limits and counts cannot be read is taken without them', async () => {
  const described = { servers: [], boards: ['luong'], items: [], max: { luong: 1, yen: 1 }, classes: {} }
  const about = async (more: object) => {
    const description = { ...described, heads: [], collector_seen_at: null, ...more }
    answering = (_request, response) => json(response, 200, description)
    return game.describeGame!({ accountsUntil: null })
  }
  const counts = { luong: { of: 'account', waiting: true } }
  expect(await about({ counts })).toMatchObject({ counts })
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`b${index}`, counts.luong]))
  for (const wrong of [{ luong: { of: 'clan', waiting: true } }, many, 'luong', null]) {
    const read = await about({ counts: wrong, limits: { name: { most: 0 } } })
    expect(read).toMatchObject({ boards: ['luong'] })
    expect([read?.counts, read?.limits]).toEqual([undefined, undefined])
  }
})

describe('a game without charges', () => {
  const described = {
    servers: [],
    boards: [],
    items: [],
    max: { luong: 1, yen: 1 },
    classes: {},
    heads: [],
    collector_seen_at: null,
  }
  const lacksCharges =
    (description: object | null): RequestListener =>
    (request, response) =>
      request.url === '/v1/game' && description !== null
        ? json(response, 200, description)
        : json(response, 404, { error: 'no-such-call' })

  const charge = () => game.charge({ id: randomUUID(), ...goods, luong: 1 })

  test('is one that says so in its description', async () => {
    answering = lacksCharges(described)
    expect(await charge()).toEqual({ kind: 'refused', reason: 'not-supported' })
    expect(await game.refundCharge(randomUUID())).toBe('not-supported')
  })

  test('is not one that a 404 makes of it', async () => {
    for (const description of [null, { ...described, charges: true }, {}]) {
      answering = lacksCharges(description)
      expect(await charge()).toEqual({ kind: 'unknown', cause: 'HTTP 404' })
      await expect(game.refundCharge(randomUUID())).rejects.toThrow('404')
    }
  })
})
