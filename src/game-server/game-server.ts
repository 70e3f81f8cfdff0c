import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSignedGameCall } from '#contract/game/signature.ts'
import type { Collector } from './collecting.ts'
import { Faults, type Fault } from './faults.ts'
import { openGame, type Game, type GameCall } from './game.ts'
import { CONNECTIONS_MAX, readBody, send, TIMEOUTS, URL_LENGTH_MAX } from './http-calls.ts'
import { wrong } from './reading.ts'
import type { World } from './world.ts'

type GameServerOptions = {
  /** The one in use and, while it is changed, the one before. */
  secrets: readonly string[]
  host?: string
  port?: number
  dataDir: string
  world: World
  faults?: Faults
  /** Called with every call, as `PUT /v1/deliveries/…`. */
  onCall?: (call: string) => void
  /** Called with errors of the server itself. */
  onError?: (error: unknown) => void
}

export type GameServer = {
  url: string
  faults: Faults
  collector: Collector
  close(): Promise<void>
}

/** What hangs is let go of in the end; every caller has given up by then. */
const HANG_MS = 60_000

/** The game behind the published contract, over HTTP. */
export async function startGameServer(options: GameServerOptions): Promise<GameServer> {
  const { faults = new Faults(), host = '127.0.0.1', port = 0 } = options
  const game = await openGame(options.world, options.dataDir)
  const server = createServer(TIMEOUTS, (request, response) => {
    serve({ options, game, faults }, request, response).catch((error: unknown) => {
      options.onError?.(error)
      response.destroy()
    })
  })
  server.maxConnections = CONNECTIONS_MAX
  server.on('connection', (socket) => {
    if (faults.isAway(performance.now())) socket.destroy()
  })
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    await game.close()
    throw error
  }
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    faults,
    collector: game.collector,
    async close() {
      await closed(server)
      await game.close()
    },
  }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

type Serving = { options: GameServerOptions; game: Game; faults: Faults }

async function serve(
  { options, game, faults }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request
  if (url.length > URL_LENGTH_MAX) return send(response, wrong(414, 'address-too-long'))
  const body = await readBody(request)
  if (body === null) return send(response, wrong(413, 'body-too-large', 'body'))
  options.onCall?.(`${method} ${url}`)
  const header = request.headers['x-portal-signature']
  const signed = { method, path: url, body, header: typeof header === 'string' ? header : undefined }
  const call: GameCall = { method, url, body }
  const isDelivery = method === 'PUT' && /^\/v1\/(deliveries|charges)\//.test(url)
  const { fault, waitMs } = faults.meet({ isDelivery, nowMs: performance.now() })
  if (waitMs > 0) await sleep(waitMs, undefined, { ref: false })
  if (!isSignedGameCall(options.secrets, signed, Date.now()))
    return send(response, wrong(401, 'bad-signature'))
  await misbehave(fault, { response, call, game })
}

type Attempt = { response: ServerResponse; call: GameCall; game: Game }

async function misbehave(fault: Fault | null, { response, call, game }: Attempt): Promise<void> {
  if (fault === 'busy') return send(response, wrong(503, 'busy'))
  if (fault === 'refuse') return send(response, await game.refuse(call))
  if (fault === null || fault === 'slow') return send(response, await game.answer(call))
  if (fault.endsWith('-after')) await game.answer(call)
  if (fault.startsWith('error')) return send(response, wrong(500, 'broken'))
  if (fault.startsWith('hang')) await sleep(HANG_MS, undefined, { ref: false })
  response.destroy()
}
