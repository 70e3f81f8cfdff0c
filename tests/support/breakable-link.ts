import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { byTcp } from './by-tcp.ts'
import { freePort } from './free-port.ts'

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
