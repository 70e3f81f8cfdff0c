import { connect, type Socket } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')

export type Answer = { status: number; text: string }

/** The first whole answer of `bytes` and its length with its head; null while more has to come. */
export function readAnswer(bytes: Buffer): (Answer & { length: number }) | null {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const content = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (content === undefined) throw new Error(`an answer without a length:\n${head}`)
  const length = end + HEAD_END.length + Number(content)
  if (bytes.length < length) return null
  return {
    length,
    status: Number(head.slice(9, 12)),
    text: bytes.toString('utf8', end + HEAD_END.length, length),
  }
}

/** Open connections nobody asks on, of the one server that is asked. */
const free: Socket[] = []

function open({ hostname, port }: URL): Socket {
  // What goes wrong is told by its close.
  return connect({ host: hostname, port: Number(port), noDelay: true }).on('error', () => {})
}

/** Posts JSON over a plain socket that stays open: the client is in the measured process and must cost it little. */
export async function postPlainly(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Answer> {
  const socket = free.pop() ?? open(url)
  const lines = [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  const answer = await askOn(socket, `${lines.join('\r\n')}\r\n\r\n${body}`)
  free.push(socket)
  return answer
}

function askOn(socket: Socket, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let held: Buffer = Buffer.alloc(0)
    const end = () => {
      socket.removeAllListeners('data').removeAllListeners('close')
    }
    socket.on('data', (chunk: Buffer) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const answer = readAnswer(held)
      if (answer === null) return
      end()
      resolve(answer)
    })
    socket.on('close', () => {
      end()
      reject(new Error('the portal closed the connection'))
    })
    socket.write(request)
  })
}
