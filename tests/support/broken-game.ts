import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signGameCall } from '#server/modules/game-bridge/http-game.client.ts'

/** What a game's developer easily gets wrong. */
export type Mistake =
  | 'applies repeats again'
  | 'forgets cancellations'
  | 'forgets refusals'
  | 'says that it applied what it refused'
  | 'lets anybody cancel'
  | 'does not say that it answers JSON'
  | 'believes any signature'

type Call = { method: 'GET' | 'PUT' | 'POST'; path: string; body?: string }

/** A game server with one mistake: a correct one behind a proxy that changes calls or answers. */
export async function startBrokenGame(
  mistake: Mistake,
  right: { url: string; secret: string },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy())
  })

  const refused = new Set<string>()

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString('utf8')
    const call = { method: request.method as Call['method'], path: request.url ?? '', body }
    let header = String(request.headers['x-portal-signature'] ?? '')
    const sign = () => {
      header = signGameCall(right.secret, Math.floor(Date.now() / 1000), call)
    }
    const isCancel = call.path.endsWith('/cancel')
    if (mistake === 'believes any signature' || (mistake === 'lets anybody cancel' && isCancel)) sign()
    if (mistake === 'applies repeats again' && call.method === 'PUT') {
      call.path = `/v1/deliveries/${randomUUID()}`
      sign()
    }
    if (mistake === 'forgets cancellations' && isCancel) {
      response.end('{"status":"cancelled"}')
      return
    }
    if (mistake === 'forgets refusals' && refused.has(call.path)) {
      call.path = `/v1/deliveries/${randomUUID()}`
      sign()
    }
    if (
      mistake === 'says that it applied what it refused' &&
      isCancel &&
      refused.has(call.path.replace('/cancel', ''))
    ) {
      response.end('{"status":"applied"}')
      return
    }
    const { method } = call
    const answer = await fetch(right.url + call.path, {
      method,
      headers: { 'x-portal-signature': header },
      ...(method === 'GET' ? {} : { body }),
    })
    if (answer.status === 422) refused.add(request.url ?? '')
    const type = mistake === 'does not say that it answers JSON' ? 'text/plain' : 'application/json'
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
