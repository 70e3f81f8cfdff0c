import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Below the range from which systems take the client side of connections: a port of theirs may be taken again before
// a process has started on it, or while one is down between a kill and its next start.
const FIRST_PORT = 10_000
const PORT_COUNT = 10_000
/** The only one among them to which fetch refuses to connect (Fetch standard, bad ports). */
const BAD_PORT = 10_080

const isFree = (port: number): Promise<boolean> => {
  const server = createServer()
  server.listen({ host: '127.0.0.1', port, exclusive: true })
  return once(server, 'listening').then(
    async () => {
      server.close()
      await once(server, 'close')
      return true
    },
    () => false,
  )
}

/** A free port of 127.0.0.1 that no other process is given by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORT_COUNT)
    if (port !== BAD_PORT && (await isFree(port))) return port
  }
}

/**
 * The address by TCP on this machine, at the port of a proxy or another server where one is given: the addresses of the embedded
 * PostgreSQL name its socket.
 */
export function byTcp(to: string, port: number | string = new URL(to).port): string {
  return Object.assign(new URL(to), { hostname: '127.0.0.1', port: String(port) }).href
}

export type BreakableLink = {
  /** The address with this link in place of its host. */
  url: string
  /** Ends what is under way and refuses what comes, as a server does that is gone. */
  cut(): void
  /** Leads on to the port given, as an address does that was moved to another machine; else to the one of before. */
  mend(port?: number): Promise<void>
}

/** The way to a server, which can be cut and mended. */
export async function openLink(to: string): Promise<BreakableLink> {
  const { port } = new URL(to)
  let farPort = Number(port || 5432)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(farPort, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      // The client notices the interruption by the close.
      socket.on('error', () => socket.destroy())
    }
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  const own = await freePort()
  const listen = async () => {
    server.listen(own, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen()
  return {
    url: byTcp(to, own),
    cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
    async mend(port = farPort) {
      farPort = port
      await listen()
    },
  }
}

export type RawAnswer = {
  /** One for each answer on the connection. */
  statuses: number[]
  text: string
  isClosed: boolean
}

/** Opens a connection and records what comes over it; nothing is sent that a test does not write itself. */
export async function rawConnection(url: string) {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  let text = ''
  let isClosed = false
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true
      resolve()
    })
  })
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  // A connection reset by the portal counts as closed; tests expect this.
  socket.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    closed,
    answer: (): RawAnswer => ({
      statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
      text,
      isClosed,
    }),
  }
}

/** Sends the bytes unchanged and returns what was received until the connection closed or went idle. */
export async function sendRaw(url: string, bytes: string, idleMs = 300): Promise<RawAnswer> {
  const { socket, closed, answer } = await rawConnection(url)
  socket.write(bytes, 'latin1')
  const end = performance.now() + 5_000
  for (let last = -1; performance.now() < end;) {
    await Promise.race([closed, sleep(idleMs)])
    const { text, isClosed } = answer()
    if (isClosed || (text.length > 0 && text.length === last)) break
    last = text.length
  }
  const received = answer()
  socket.destroy()
  return received
}
