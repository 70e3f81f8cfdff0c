import { expect, test } from 'vitest'
import { openHttp } from '#server/platform/http/server.ts'
import { openLog } from '#server/platform/log/log.ts'
import { eventually } from '#tests/support/purchases.ts'
import { rawConnection } from '#tests/support/network.ts'
import { turnAwayWhileStopping } from './shutdown.ts'

const head = (method: string, more = '') => `${method} /api/thing HTTP/1.1\r\nHost: portal.test\r\n${more}`

async function listening() {
  let isStopping = false
  const app = openHttp({
    log: openLog('fatal'),
    trustProxy: [],
    connectionsPerAddress: 0,
    streamsPerAddress: 0,
  })
  turnAwayWhileStopping(app, { isStopping: () => isStopping })
  app.route({ method: ['GET', 'POST'], url: '/api/thing', handler: async () => ({ done: true }) })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, stop: () => (isStopping = true), close: () => app.close() }
}

/** The answer to each request whose head was half read when the port closed. */
async function closedOn(...heads: string[]): Promise<number[]> {
  const { url, stop, close } = await listening()
  const connections = await Promise.all(heads.map(() => rawConnection(url)))
  heads.forEach((text, index) => connections[index]?.socket.write(text))
  // They count as busy once something of them has been read.
  await new Promise((resolve) => setTimeout(resolve, 200))
  stop()
  const closed = close()
  for (const { socket } of connections) socket.write('Content-Length: 0\r\n\r\n')
  await closed
  await Promise.all(connections.map((connection) => connection.closed))
  return connections.flatMap(({ answer }) => answer().statuses)
}

test('what may have an effect is done when it had arrived before the port closed', async () => {
  expect(await closedOn(head('POST'))).toEqual([200])
})

test('what is only read is requested again: elsewhere by nginx, later by others', async () => {
  expect(await closedOn(head('GET', 'X-Retries-502: GET\r\n'), head('GET'))).toEqual([502, 503])
})

test('while the port is open, a stop refuses only what nginx repeats, and ends connections', async () => {
  const { url, stop, close } = await listening()
  const send = (method: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/thing`, { method, headers })
  const retried = { 'x-retries-502': 'GET' }
  expect((await send('GET', retried)).status).toBe(200)
  stop()
  await eventually(async () => expect((await send('GET', retried)).status).toBe(502))
  expect((await send('GET')).status).toBe(200)
  const posted = await send('POST', retried)
  expect([posted.status, posted.headers.get('connection')]).toEqual([200, 'close'])
  await close()
})
