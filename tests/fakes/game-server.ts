import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A character of the fake world. */
export type FakeCharacter = {
  id: string
  serverId: string
  account: string
  name: string
  head: number
  classId: number
  level: number
  luong: number
  yen: number
  items: { code: string; quantity: number }[]
}

/**
 * What goes wrong with the next calls that deliver. `…-after` happens when the goods are already handed over, `…-before`
 * when nothing was done.
 */
export type GameFault =
  | 'hang-after'
  | 'hang-before'
  | 'error-after'
  | 'error-before'
  | 'reset-after'
  | 'reset-before'
  | 'busy'
  | 'refuse'

type JournalRow = {
  status: 'applied' | 'refused' | 'cancelled'
  body: string
  reason: string | null
}

export type FakeGameServer = {
  url: string
  characters: FakeCharacter[]
  /** One row per delivery that was ever answered for good. */
  journal: ReadonlyMap<string, JournalRow>
  /** Calls that came in, as `PUT /v1/deliveries/…`. */
  calls: string[]
  /** The next `times` deliveries meet this fault. */
  failNext(fault: GameFault, times?: number): void
  /** Every answer waits this long. */
  slowDown(ms: number): void
  close(): Promise<void>
}

type Goods = { kind: 'luong' | 'yen' | 'item'; code?: string; quantity: number }[]
type DeliveryBody = { server_id: string; account: string; character_id: string; goods: Goods }
type Answer = { status: number; body?: unknown }

const FRESH_SECONDS = 300

/** A game server behind the published contract, with a world and a journal of its own and faults on demand. */
export async function startFakeGameServer({ secret }: { secret: string }): Promise<FakeGameServer> {
  const world = openWorld()
  const faults: GameFault[] = []
  const calls: string[] = []
  let delayMs = 0

  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const { method = '', url = '' } = request
    calls.push(`${method} ${url}`)
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    if (!isSigned(secret, request, body))
      return send(response, { status: 401, body: { error: 'bad signature' } })
    const id = /^\/v1\/deliveries\/([^/?]+)$/.exec(url)?.[1]
    if (method !== 'PUT' || id === undefined) return send(response, world.answer(method, url))
    misbehave(faults.shift(), {
      response,
      deliver: () => world.deliver(id, JSON.parse(body) as DeliveryBody),
      id,
      world,
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    characters: world.characters,
    journal: world.journal,
    calls,
    failNext(fault, times = 1) {
      for (let index = 0; index < times; index++) faults.push(fault)
    },
    slowDown(ms) {
      delayMs = ms
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type World = ReturnType<typeof openWorld>
type Attempt = { response: ServerResponse; deliver: () => Answer; id: string; world: World }

function misbehave(fault: GameFault | undefined, { response, deliver, id, world }: Attempt): void {
  if (fault === undefined) return send(response, deliver())
  if (fault === 'busy') return send(response, { status: 503 })
  if (fault === 'refuse') return send(response, world.refuse(id, 'bag-full'))
  if (fault.endsWith('-after')) deliver()
  if (fault.startsWith('error')) return send(response, { status: 500, body: { error: 'broken' } })
  if (fault.startsWith('reset')) response.destroy()
  // What hangs is never answered; the caller gives up.
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
}

function openWorld() {
  const characters: FakeCharacter[] = []
  const journal = new Map<string, JournalRow>()

  function refuse(id: string, reason: string, body = ''): Answer {
    journal.set(id, { status: 'refused', body, reason })
    return { status: 422, body: { status: 'refused', reason } }
  }

  function deliver(id: string, delivery: DeliveryBody): Answer {
    const body = JSON.stringify([
      delivery.server_id,
      delivery.account,
      delivery.character_id,
      delivery.goods.map((good) => [good.kind, good.code ?? null, good.quantity]),
    ])
    const earlier = journal.get(id)
    if (earlier?.status === 'cancelled')
      return { status: 422, body: { status: 'refused', reason: 'cancelled' } }
    if (earlier && earlier.body !== '' && earlier.body !== body) return { status: 409 }
    if (earlier?.status === 'applied') return { status: 200, body: { status: 'applied' } }
    if (earlier?.status === 'refused')
      return { status: 422, body: { status: 'refused', reason: earlier.reason } }
    const character = characters.find(
      ({ id: known, serverId, account }) =>
        known === delivery.character_id && serverId === delivery.server_id && account === delivery.account,
    )
    if (!character) return refuse(id, 'no-such-character', body)
    for (const good of delivery.goods) {
      if (good.kind === 'item') character.items.push({ code: good.code ?? '', quantity: good.quantity })
      else character[good.kind] += good.quantity
    }
    journal.set(id, { status: 'applied', body, reason: null })
    return { status: 200, body: { status: 'applied' } }
  }

  function cancel(id: string): Answer {
    const earlier = journal.get(id)
    if (earlier?.status === 'applied') return { status: 200, body: { status: 'applied' } }
    journal.set(id, { status: 'cancelled', body: '', reason: null })
    return { status: 200, body: { status: 'cancelled' } }
  }

  function answer(method: string, target: string): Answer {
    const { pathname, searchParams } = new URL(target, 'http://game')
    const serverId = searchParams.get('server_id')
    const cancelled = /^\/v1\/deliveries\/([^/]+)\/cancel$/.exec(pathname)?.[1]
    if (method === 'POST' && cancelled !== undefined) return cancel(cancelled)
    if (method !== 'GET') return { status: 405 }
    const asked = /^\/v1\/deliveries\/([^/]+)$/.exec(pathname)?.[1]
    if (asked !== undefined) {
      const status = journal.get(asked)?.status ?? 'unknown'
      return { status: 200, body: { status: status === 'refused' ? 'unknown' : status } }
    }
    const here = characters.filter((character) => character.serverId === serverId)
    if (pathname === '/v1/characters') {
      return {
        status: 200,
        body: here.filter(({ account }) => account === searchParams.get('account')).map(shown),
      }
    }
    if (pathname === '/v1/rankings/level') {
      const best = here.toSorted((a, b) => b.level - a.level).slice(0, Number(searchParams.get('limit')))
      return {
        status: 200,
        body: best.map((character) => ({
          ...shown(character),
          value: character.level,
          account: character.account,
        })),
      }
    }
    return { status: 404 }
  }

  return { characters, journal, deliver, refuse, answer }
}

const shown = ({ id, name, head, classId, level }: FakeCharacter) => ({
  id,
  name,
  head,
  class_id: classId,
  level,
})

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function isSigned(secret: string, request: IncomingMessage, body: string): boolean {
  const header = String(request.headers['x-portal-signature'] ?? '')
  const [, seconds = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (Math.abs(Date.now() / 1000 - Number(seconds)) > FRESH_SECONDS) return false
  const wanted = createHmac('sha256', secret)
    .update(`${seconds}.${request.method}.${request.url}.${body}`)
    .digest()
  return given !== '' && timingSafeEqual(Buffer.from(given, 'hex'), wanted)
}
