import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Linux repeats a piece that was not acknowledged after 0.2 s, and then after doubled times. */
const FIRST_REPEAT_MS = 200

/** How long after its resumption a machine still waits for a piece that was sent to it so long before. */
function repeatedAfterMs(waitedMs: number): number {
  let at = FIRST_REPEAT_MS
  for (let pause = FIRST_REPEAT_MS; at < waitedMs; at += pause) pause *= 2
  return at - waitedMs
}

type Connection = { near: Socket; far: Socket; held: Buffer[]; firstAt: number }

/** The network between one machine and another service. */
export type Line = {
  port: number
  /** The machine takes nothing in, as while it is paused; what is sent to it is repeated, less and less often. */
  hold(): void
  /** It is there again: a connection on which something was sent meanwhile is silent until the next repetition. */
  release(): void
  close(): Promise<void>
}

/**
 * A process that is stopped (SIGSTOP) still has its kernel, which takes in what arrives; a machine that is paused has not,
 * and learns of what happened meanwhile only some time after it goes on.
 */
export async function openLine(targetPort: number): Promise<Line> {
  const connections = new Set<Connection>()
  let isHeld = false
  const server = createServer((near) => {
    const far = connect({ port: targetPort, host: '127.0.0.1' })
    const connection: Connection = { near, far, held: [], firstAt: 0 }
    connections.add(connection)
    const end = () => {
      connections.delete(connection)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', end).on('close', end)
    near.on('data', (chunk) => void far.write(chunk))
    far.on('data', (chunk: Buffer) => {
      if (!isHeld && connection.held.length === 0) return void near.write(chunk)
      if (connection.held.length === 0) connection.firstAt = Date.now()
      connection.held.push(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function letPass(connection: Connection): void {
    for (const chunk of connection.held.splice(0)) if (connection.near.writable) connection.near.write(chunk)
  }

  return {
    port: (server.address() as AddressInfo).port,
    hold: () => void (isHeld = true),
    release() {
      isHeld = false
      for (const connection of connections) {
        if (connection.held.length === 0) continue
        setTimeout(letPass, repeatedAfterMs(Date.now() - connection.firstAt), connection).unref()
      }
    },
    async close() {
      for (const { near, far } of connections) {
        near.destroy()
        far.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}
