import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

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
