import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '#tests/support/network.ts'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import { openOutbound, openPublicOutbound, OutboundFailure } from './outbound.ts'
import { isPublicAddress } from './public-addresses.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const PATIENCE_MS = 3_000

const failureOf = (call: Promise<unknown>): Promise<OutboundFailure> =>
  Promise.race([
    call.then(
      () => expect.unreachable('the call was answered'),
      (error) => error as OutboundFailure,
    ),
    sleep(PATIENCE_MS, null, { ref: false }).then(() => expect.unreachable('the call did not end')),
  ])

test('an answer comes with its status and its text, and what was sent arrives byte for byte', async () => {
  const origin = await serve((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(418).end(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`)
    })
  })
  const send = openOutbound([origin])
  expect(
    await send({ url: `${origin}/a?b=c`, method: 'PUT', body: '{"tên":"gió"}', timeoutMs: 2_000 }),
  ).toEqual({
    status: 418,
    text: 'PUT /a?b=c {"tên":"gió"}',
  })
})

test.each([
  ['retry-after', '7', 7],
  ['x-sepay-userapi-retry-after', '2', 2],
  ['retry-after', 'Sat, 21 Nov 2026 00:00:00 GMT', undefined],
])('how long to stay away is read from %s: %s', async (header, value, seconds) => {
  const origin = await serve((_, response) => response.writeHead(429, { [header]: value }).end())
  const answer = await openOutbound([origin])({ url: origin, method: 'GET', timeoutMs: 2_000 })
  expect(answer.retryAfterSeconds).toBe(seconds)
})

test('nothing is called over the network while a transaction is open', async () => {
  let calls = 0
  const origin = await serve((_, response) => response.end(String((calls += 1))))
  const send = openOutbound([origin])
  const call = () => send({ url: origin, method: 'GET', timeoutMs: 2_000 })
  // A fake database that only opens transactions: the test is about the mark, not PostgreSQL.
  const db = {
    transaction: () => ({ execute: (work: (tx: unknown) => Promise<unknown>) => work({}) }),
  } as unknown as Db
  await expect(inTransaction(db, call)).rejects.toThrow('inside a transaction')
  expect(calls).toBe(0)
  expect((await call()).text).toBe('1')
})

test('an unrequested switch of protocols is no answer, and does not let the caller wait', async () => {
  const origin = await serve(({ socket }) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n')
  })
  const failure = await failureOf(openOutbound([origin])({ url: origin, method: 'GET', timeoutMs: 2_000 }))
  expect(failure.wasConnected).toBe(true)
})

test('a refused connection is distinguished from a missing answer', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`
  const refused = await failureOf(openOutbound([nowhere])({ url: nowhere, method: 'GET', timeoutMs: 2_000 }))
  expect(refused).toBeInstanceOf(OutboundFailure)
  expect(refused.wasConnected).toBe(false)

  const silent = await serve(() => {})
  const late = await failureOf(openOutbound([silent])({ url: silent, method: 'GET', timeoutMs: 100 }))
  expect(late.wasConnected).toBe(true)

  const rude = await serve((request) => request.socket.destroy())
  const reset = await failureOf(openOutbound([rude])({ url: rude, method: 'GET', timeoutMs: 2_000 }))
  expect(reset.wasConnected).toBe(true)
})

test('a host that takes the connection but never finishes TLS counts as never reached', async () => {
  const server = createTcpServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const request = { url: origin, method: 'GET' as const, timeoutMs: 5_000, connectTimeoutMs: 100 }
  const failure = await failureOf(openOutbound([origin])(request))
  server.close()
  expect(failure.wasConnected).toBe(false)
  expect(failure.message).toBe('no connection in time')
})

test('the time-out also ends an answer that starts and never finishes', async () => {
  const origin = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('a')
  })
  const failure = await failureOf(openOutbound([origin])({ url: origin, method: 'GET', timeoutMs: 150 }))
  expect(failure.wasConnected).toBe(true)
})

test('hosts that are not listed, redirects and endless answers are refused', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/redirect') return response.writeHead(302, { location: '/' }).end()
    response.end(Buffer.alloc(1024 * 1024 + 1))
  })
  const send = openOutbound([origin])
  await expect(send({ url: 'http://127.0.0.2:1/', method: 'GET', timeoutMs: 1_000 })).rejects.toThrow(
    'listed hosts',
  )
  await expect(send({ url: `${origin}/redirect`, method: 'GET', timeoutMs: 1_000 })).rejects.toThrow(
    'redirect',
  )
  await expect(send({ url: `${origin}/`, method: 'GET', timeoutMs: 5_000 })).rejects.toThrow('too large')
})

test('a name that leads to this machine or its networks is not called, also where it has a public address too', async () => {
  for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1'], []]) {
    const { send } = openPublicOutbound({
      hosts: ['push.example'],
      lookup: (_, _options, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
    })
    const call = send({ url: 'https://push.example/x', method: 'POST', timeoutMs: 2_000 })
    const failure = await failureOf(call)
    expect(failure).toBeInstanceOf(OutboundFailure)
    expect(String((failure.cause as Error).message)).toMatch(/not public|no address/)
  }
})

test('of the hosts that browsers name the known ones are called, by https at its own port', () => {
  const { mayCall } = openPublicOutbound({ hosts: ['push.example', '.notify.example'] })
  const wrong = [
    'http://push.example/x',
    'https://push.example:8443/x',
    'https://a:b@push.example/x',
    'https://other.example/x',
    'https://notify.example/x',
    'https://evilnotify.example/x',
    'https://push.example.evil.example/x',
    'https://push.example./x',
    'https://8.8.8.8/x',
    'push.example',
  ]
  expect(wrong.filter((url) => mayCall(url))).toEqual([])
  for (const url of ['https://push.example/x', 'https://PUSH.example:443/x', 'https://a.b.notify.example/x'])
    expect([url, mayCall(url)]).toEqual([url, true])
})

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  'fc00::1',
  'fe80::1',
  'ff02::1',
  '2001::1',
  '2002:a00:1::',
  '2001:db8::1',
  'push.example',
])('%s is not an address of the internet', (address) => expect(isPublicAddress(address)).toBe(false))

test.each(['8.8.8.8', '93.184.215.14', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is an address of the internet',
  (address) => expect(isPublicAddress(address)).toBe(true),
)
