import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { aPlayer } from '#tests/support/players.ts'
import { eventually } from '#tests/support/purchases.ts'

const CONNECTIONS = 50
const STREAMS = 10

/** Without a proxy; and behind one, which is this machine. */
const limits = { CONNECTIONS_PER_ADDRESS: '', STREAMS_PER_ADDRESS: '' }
const portal = useTestApp({ environment: { ...limits, TRUST_PROXY: '' } })
const proxied = useTestApp({ environment: { ...limits, TRUST_PROXY: '127.0.0.1' } })
beforeAll(async () => {
  for (const one of [portal, proxied]) {
    await one.app.listen({ host: '127.0.0.1', port: 0 })
    await openAccounts(one)
  }
})

type Connection = { socket: Socket; text: () => string; isClosed: () => boolean }
const opened: Socket[] = []
afterEach(async () => {
  const closed = opened.splice(0).map((socket) => {
    if (socket.closed) return undefined
    return new Promise((resolve) => void socket.once('close', resolve).destroy())
  })
  await Promise.all(closed)
})

/** Waits until it is so. */
const until = (isSo: () => boolean | Promise<boolean>) =>
  eventually(async () => expect(await isSo()).toBe(true))

const portOf = ({ app }: typeof portal) => (app.server.address() as AddressInfo).port

async function open(to: typeof portal, from: string): Promise<Connection> {
  const socket = connect({ port: portOf(to), host: '127.0.0.1', localAddress: from })
  opened.push(socket)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve)
    socket.once('close', () => resolve())
  })
  return { socket, text: () => text, isClosed: () => socket.closed }
}

const openMany = (count: number, to: typeof portal, from: string) =>
  Promise.all(Array.from({ length: count }, () => open(to, from)))

const get = ({ socket }: Connection, path = '/healthz', headers = '') =>
  socket.write(`GET ${path} HTTP/1.1\r\nHost: portal.test\r\n${headers}\r\n`)

const statusOf = ({ text }: Connection) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text())?.[1] ?? 0)

/** The statuses of the answers to one request on each connection, in order. */
async function answersOf(connections: readonly Connection[], path?: string, headers?: string) {
  for (const connection of connections) get(connection, path, headers)
  await until(() => connections.every((one) => statusOf(one) > 0 || one.isClosed()))
  return connections.map(statusOf).toSorted()
}

const times = (count: number, status: number) => Array<number>(count).fill(status)

describe('security row 36: open connections of one address', () => {
  test('of 60 from one address 50 are served, the others are refused and closed, and another address is not affected', async () => {
    const flood = await openMany(60, portal, '127.0.0.1')
    expect(await answersOf(flood)).toEqual([...times(CONNECTIONS, 200), ...times(10, 429)])
    const refused = flood.filter((one) => statusOf(one) === 429)
    expect(refused[0]?.text()).toMatch(
      /retry-after: 10\r\n[^]*connection: close|connection: close[^]*retry-after: 10\r\n/i,
    )
    await until(() => refused.every((one) => one.isClosed()))
    expect(flood.filter((one) => one.isClosed())).toHaveLength(10)
    expect(await answersOf(await openMany(10, portal, '127.0.0.2'))).toEqual(times(10, 200))
    expect(portal.logged()).toContain('"event":"http.too-many-connections","address":"127.0.0.1"')
  })

  test('when they end there is room again; those that send nothing are closed soon, and far too many at once', async () => {
    const idle = await openMany(CONNECTIONS + 1, portal, '127.0.0.3')
    await openMany(60, portal, '127.0.0.3')
    await until(() => opened.filter((socket) => socket.closed).length >= 10)
    expect(idle.some((one) => one.isClosed())).toBe(false)
    idle.forEach(({ socket }) => socket.destroy())
    await until(async () => (await answersOf([await open(portal, '127.0.0.3')]))[0] === 200)
    await until(() => opened.every((socket) => socket.closed || socket.readyState === 'open'))
  })

  test('are not counted of a proxy that is trusted, which has its clients in them', async () => {
    expect(await answersOf(await openMany(60, proxied, '127.0.0.1'))).toEqual(times(60, 200))
    expect(await answersOf(await openMany(60, proxied, '127.0.0.2'))).toEqual([
      ...times(CONNECTIONS, 200),
      ...times(10, 429),
    ])
  })
})

describe('security row 36: event streams of one address', () => {
  async function streamsOf(to: typeof portal, count: number): Promise<string[]> {
    const lines: string[] = []
    while (lines.length < count) {
      const player = await aPlayer(to)
      const { code } = await anOrder(to, player)
      lines.push(`/api/recharge/orders/${code}/events Authorization: Bearer ${player.token}\r\n`)
    }
    return lines
  }

  /** One stream for each line, all open at once. */
  async function follow(
    to: typeof portal,
    lines: readonly string[],
    [from, headers]: readonly [string, string],
  ) {
    const connections = await openMany(lines.length, to, from)
    for (const [at, line] of lines.entries()) {
      const [path = '', ...authorization] = line.split(' ')
      get(connections[at] as Connection, path, `${authorization.join(' ')}${headers}`)
    }
    await until(() => connections.every((one) => statusOf(one) > 0))
    return connections
  }
  const statuses = (connections: readonly Connection[]) => connections.map(statusOf).toSorted()

  test('of 12 streams of one address 10 are open, the others are refused for now, and another address has its own', async () => {
    const lines = await streamsOf(portal, 12)
    const first = await follow(portal, lines, ['127.0.0.1', ''])
    expect(statuses(first)).toEqual([...times(STREAMS, 200), 429, 429])
    expect(first.find((one) => statusOf(one) === 429)?.text()).toMatch(/retry-after: 10\r\n/i)
    expect(statuses(await follow(portal, lines.slice(0, 1), ['127.0.0.2', '']))).toEqual([200])
    // An end makes room.
    first.find((one) => statusOf(one) === 200)?.socket.destroy()
    await until(async () => statuses(await follow(portal, lines.slice(0, 1), ['127.0.0.1', '']))[0] === 200)
  })

  test('behind a trusted proxy the clients that it names are counted, of IPv6 by their network', async () => {
    const lines = await streamsOf(proxied, 12)
    const named = (address: string) => ['127.0.0.1', `X-Forwarded-For: ${address}\r\n`] as const
    expect(statuses(await follow(proxied, lines, named('203.0.113.7')))).toEqual([
      ...times(STREAMS, 200),
      429,
      429,
    ])
    expect(statuses(await follow(proxied, lines.slice(0, 6), named('2001:db8::1')))).toEqual(times(6, 200))
    expect(statuses(await follow(proxied, lines.slice(0, 6), named('2001:db8::2')))).toEqual([
      ...times(4, 200),
      429,
      429,
    ])
    expect(statuses(await follow(proxied, lines.slice(0, 1), named('2001:db8:0:1::2')))).toEqual([200])
  })
})
