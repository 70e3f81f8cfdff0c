import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type RawAnswer = {
  /** One for each answer on the connection. */
  statuses: number[]
  text: string
  isClosed: boolean
}

/** Opens a connection and keeps what comes over it; nothing is sent that a test does not write itself. */
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
export async function sendRaw(url: string, bytes: string, quietMs = 300): Promise<RawAnswer> {
  const { socket, closed, answer } = await rawConnection(url)
  socket.write(bytes, 'latin1')
  const end = performance.now() + 5_000
  for (let last = -1; performance.now() < end;) {
    await Promise.race([closed, sleep(quietMs)])
    const { text, isClosed } = answer()
    if (isClosed || (text.length > 0 && text.length === last)) break
    last = text.length
  }
  const received = answer()
  socket.destroy()
  return received
}
