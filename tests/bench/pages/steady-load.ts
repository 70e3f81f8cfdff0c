import { connect, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'
const LENGTH = 'content-length: '

export type Asking = { status: number; bytes: number; ms: number }

export type Steady = {
  url: URL
  /** The head of a request, without its last empty line. */
  next: (count: number) => string
  connections: number
  /** Ends after so many answers, or seconds. */
  answers?: number
  seconds?: number
  onAnswer?: (answer: Asking) => void
}

export type Rate = { answered: number; perSecond: number; statuses: Record<number, number> }

/** Plain requests one after the other on each connection, read as cheaply as can be: the load shares the machine. */
export async function steadyLoad(options: Steady): Promise<Rate> {
  const { url, next, connections, answers = Infinity, seconds = Infinity, onAnswer } = options
  const start = performance.now()
  const deadline = start + seconds * 1_000
  const statuses: Record<number, number> = {}
  let sent = 0
  let answered = 0
  const takeNext = () => (sent >= answers || performance.now() >= deadline ? null : next(sent++))
  const note = (answer: Asking) => {
    answered++
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    onAnswer?.(answer)
  }
  await Promise.all(
    Array.from({ length: connections }, () =>
      askOn(() => connect({ host: url.hostname, port: Number(url.port), noDelay: true }), takeNext, note),
    ),
  )
  return { answered, perSecond: (answered * 1_000) / (performance.now() - start), statuses }
}

/** One connection, and the next one when a server wants no more requests on it. */
async function askOn(
  open: () => Socket,
  takeNext: () => string | null,
  note: (answer: Asking) => void,
): Promise<void> {
  for (;;) if (await isOverOn(open(), takeNext, note)) return
}

function isOverOn(
  socket: Socket,
  takeNext: () => string | null,
  note: (answer: Asking) => void,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  let status = 0
  let bytes = 0
  let left = 0
  let sentAt = 0
  let isLast = false
  const endWith = (isOver: boolean) => {
    resolve(isOver)
    socket.destroy()
  }
  const ask = () => {
    if (isLast) return endWith(false)
    const head = takeNext()
    if (head === null) return endWith(true)
    sentAt = performance.now()
    bytes = 0
    socket.write(`${head}\r\n\r\n`, 'latin1')
  }
  socket.once('error', reject).once('close', () => reject(new Error('the server closed a connection')))
  socket.once('connect', ask)
  socket.on('data', (chunk: Buffer) => {
    if (bytes === 0) {
      const end = chunk.indexOf(HEAD_END)
      const head = chunk.toString('latin1', 0, end).toLowerCase()
      status = Number(head.slice(9, 12))
      isLast = head.includes('connection: close')
      const at = head.indexOf(LENGTH)
      left = end + HEAD_END.length + (at < 0 ? 0 : Number.parseInt(head.slice(at + LENGTH.length), 10))
    }
    bytes += chunk.length
    left -= chunk.length
    if (left > 0) return
    note({ status, bytes, ms: performance.now() - sentAt })
    ask()
  })
  return promise
}

/** A request as a browser sends it; behind this machine, which the portal trusts as its proxy. */
export const readOf = (path: string, address: string, encoding = 'br, gzip'): string =>
  `GET ${path} HTTP/1.1\r\nhost: portal.test\r\nx-forwarded-for: ${address}\r\naccept-encoding: ${encoding}\r\nuser-agent: Mozilla/5.0 (bench)`
