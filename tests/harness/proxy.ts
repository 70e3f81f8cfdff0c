import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { byTcp } from '#tests/support/network.ts'

const COMMIT = /^commit\b/i
/** Type and length of a message; the first message of a connection has no type. */
const HEAD = 5
const LENGTH_MAX = 64 * 1024 * 1024

/**
 * Reads what a client of PostgreSQL sends, piece by piece. Each call answers whether the piece ends a simple query COMMIT;
 * a statement with parameters is another message, and nothing of the portal commits with one.
 */
export function messageReader(): (chunk: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let commits = false
    for (;;) {
      const head = isStarted ? HEAD : HEAD - 1
      if (rest.length < head) return commits
      const length = rest.readUInt32BE(head - 4)
      if (length < 4 || length > LENGTH_MAX) throw new Error(`a message of ${length} bytes is no PostgreSQL`)
      const end = head - 4 + length
      if (rest.length < end) return commits
      if (isStarted && rest[0] === 0x51) {
        commits ||= COMMIT.test(rest.toString('utf8', HEAD, Math.min(end - 1, HEAD + 20)))
      }
      rest = rest.subarray(end)
      isStarted = true
    }
  }
}

/** What becomes of a connection that sends COMMIT. `lost-reply`: PostgreSQL did it, and its answer is dropped. */
export type CommitCut = 'none' | 'before' | 'sent' | 'lost-reply'

export type Proxy = {
  port: number
  /** The address in place of the target's own. */
  through(url: string): string
  /** The target came back at another port. */
  retarget(port: number): void
  /** Called at every COMMIT, where the proxy reads PostgreSQL's messages. */
  onCommit: () => CommitCut
  /** Each piece waits so long, in both directions. */
  delayMs: number
  /** New connections are closed at once. */
  isRefusing: boolean
  /** Nothing passes in either direction, on old connections and new ones; both ends believe that they are connected. */
  isSilent: boolean
  /** Closes all connections at both ends. */
  cut(): number
  /** The target sees the end of what the client sends; its answers still pass. */
  halfClose(): number
  /**
   * The connections of this moment pass nothing any more, as after the loss of a machine. The client never sees them closed;
   * the target does in the end, as by its keepalives: it would run out of connections otherwise.
   */
  forget(): number
  /** No faults, for new connections; those that were forgotten stay so. */
  restore(): void
  close(): Promise<void>
}

const KEPT_ALIVE_MS = 20_000

type Pair = { client: Socket; target: Socket; isForgotten: boolean }

/** A TCP proxy on loopback whose faults are switched on and off. */
export async function openProxy(targetPort: number, protocol: 'postgres' | 'any'): Promise<Proxy> {
  let port = targetPort
  const pairs = new Set<Pair>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (proxy.isRefusing) return void client.resetAndDestroy()
    const target = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const pair = { client, target, isForgotten: false }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      target.destroy()
    }
    for (const socket of [client, target]) {
      socket.setNoDelay(true)
      // A forgotten end does not learn what becomes of the other.
      socket.on('error', () => pair.isForgotten || end())
      socket.on('close', () => pair.isForgotten || end())
    }
    const passes = () => !pair.isForgotten && !proxy.isSilent
    pass({ from: client, to: target, passes, read: protocol === 'postgres' ? commitReader(pair, end) : null })
    pass({ from: target, to: client, passes, read: null })
  })

  function commitReader(pair: Pair, end: () => void) {
    const messages = messageReader()
    return (chunk: Buffer): Buffer | null => {
      const commits = messages(chunk)
      if (!commits) return chunk
      const cut = proxy.onCommit()
      if (cut === 'none') return chunk
      if (cut === 'before') end()
      else if (cut === 'sent') pair.target.write(chunk, end)
      else {
        pair.target.removeAllListeners('data')
        pair.target.once('data', end)
        pair.target.write(chunk)
      }
      return null
    }
  }

  type Passing = {
    from: Socket
    to: Socket
    passes(): boolean
    read: ((chunk: Buffer) => Buffer | null) | null
  }

  function pass({ from, to, passes, read }: Passing): void {
    // Pieces wait in turn, so that their order stays.
    let turn = Promise.resolve()
    const wait = async () => {
      if (proxy.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, proxy.delayMs))
    }
    from.on('data', (chunk) => {
      turn = turn.then(wait).then(() => {
        if (!passes()) return
        const passed = read === null ? (chunk as Buffer) : read(chunk as Buffer)
        if (passed !== null && to.writable) to.write(passed)
      })
    })
    from.on('end', () => {
      turn = turn.then(() => void (passes() && to.end()))
    })
  }

  const proxy: Proxy = {
    port: 0,
    through: (url) => byTcp(url, proxy.port).replace(/\/$/, ''),
    retarget: (to) => void (port = to),
    onCommit: () => 'none',
    delayMs: 0,
    isRefusing: false,
    isSilent: false,
    cut: () =>
      each((pair) => {
        pair.client.resetAndDestroy()
        pair.target.destroy()
      }),
    halfClose: () => each(({ target }) => void target.end()),
    forget: () =>
      each((pair) => {
        pair.isForgotten = true
        // PostgreSQL and the game would see a machine that is gone end only after a long time; so they see nothing.
        pair.client.removeAllListeners('data')
        pair.target.removeAllListeners('data')
        pair.client.resume()
        pair.target.resume()
        setTimeout(() => pair.target.destroy(), KEPT_ALIVE_MS).unref()
      }),
    restore() {
      Object.assign(proxy, { onCommit: () => 'none', delayMs: 0, isRefusing: false })
      // What was swallowed meanwhile is missing in the middle of a conversation.
      if (proxy.isSilent) proxy.forget()
      proxy.isSilent = false
    },
    async close() {
      for (const pair of pairs) {
        pair.isForgotten = false
        pair.client.destroy()
        pair.target.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }

  function each(act: (pair: Pair) => void): number {
    const living = [...pairs].filter(({ isForgotten }) => !isForgotten)
    for (const pair of living) act(pair)
    return living.length
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.port = (server.address() as AddressInfo).port
  return proxy
}
