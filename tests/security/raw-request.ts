import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type RawAnswer = { status: number; headers: Record<string, string>; text: string }

const ANSWER_MS_MAX = 10_000

/** Bytes sent as they are, which no client library would send, and what comes back. */
export async function rawRequest(portalUrl: string, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(portalUrl)
  return answerOver(connect(Number(port), hostname), bytes)
}

/** The same over a connection that is being opened, to a proxy say; what is sent has to request its end. */
export async function answerOver(socket: Socket, bytes: string): Promise<RawAnswer> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error('no answer in time')))
  socket.write(bytes)
  await once(socket, 'close')
  return parse(Buffer.concat(chunks).toString('utf8'))
}

function parse(answer: string): RawAnswer {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    text: rest.join('\r\n\r\n'),
  }
}
