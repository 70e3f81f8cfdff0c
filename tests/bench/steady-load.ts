import { connect, type Socket } from 'node:net'

/** One request as it goes over the line; the ready-made bytes cost the sender next to nothing. */
export type Ready = Buffer

type RequestInput = {
  path: string
  method?: 'GET' | 'POST'
  address: string
  token?: string
  key?: string
  body?: object
  encoding?: string
}

/** As a browser sends it; behind this machine, which the portal trusts as its proxy. */
export function readyRequest(input: RequestInput): Ready {
  const { path, method = 'GET', address, token, key, body, encoding = 'gzip, deflate, br, zstd' } = input
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = [
    `${method} ${path} HTTP/1.1`,
    'host: portal.test',
    `x-forwarded-for: ${address}`,
    `accept-encoding: ${encoding}`,
    'user-agent: Mozilla/5.0 (bench)',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(key === undefined ? [] : [`idempotency-key: ${key}`]),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ]
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${text}`)
}

export type Steady = {
  url: URL
  next: (count: number) => Ready
  connections: number
  /** Cleanup after so many answers, or seconds. */
  answers?: number
  seconds?: number
}

export type Load = {
  answered: number
  /** Of those answered, the ones that were not answered 200. */
  failed: number
  perSecond: number
  seconds: number
  statuses: Record<number, number>
  latenciesMs: number[]
}

/** Plain requests one after the other on each connection, read as cheaply as can be: the load shares the machine. */
export async function steadyLoad({
  url,
  next,
  connections,
  answers = Infinity,
  seconds: secondsMax = Infinity,
}: Steady): Promise<Load> {
  const start = performance.now()
  const deadline = start + secondsMax * 1_000
  const statuses: Record<number, number> = {}
  const latenciesMs: number[] = []
  let sent = 0
  const takeNext = () => (sent >= answers || performance.now() >= deadline ? null : next(sent++))
  const note = (status: number, ms: number) => {
    latenciesMs.push(ms)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const open = () => connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  await Promise.all(Array.from({ length: connections }, () => sendOn(open, takeNext, note)))
  const seconds = (performance.now() - start) / 1_000
  const answered = latenciesMs.length
  const failed = answered - (statuses[200] ?? 0)
  return { answered, failed, perSecond: answered / seconds, seconds, statuses, latenciesMs }
}

type Note = (status: number, ms: number) => void

/** One connection, and the next one when a server takes no more requests on it. */
async function sendOn(open: () => Socket, takeNext: () => Ready | null, note: Note): Promise<void> {
  for (;;) if (await isOverOn(open(), takeNext, note)) return
}

function isOverOn(socket: Socket, takeNext: () => Ready | null, note: Note): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  /** Of the answer that is being read; null before its head is there. */
  let answer: Head | null = null
  let left = 0
  let sentAt = 0
  const endWith = (isOver: boolean) => {
    resolve(isOver)
    socket.destroy()
  }
  const send = () => {
    const request = answer?.isLast === true ? null : takeNext()
    if (request === null) return endWith(answer?.isLast !== true)
    answer = null
    sentAt = performance.now()
    socket.write(request)
  }
  socket.once('error', reject).once('close', () => reject(new Error('the server closed a connection')))
  socket.once('connect', send)
  socket.on('data', (chunk: Buffer) => {
    if (answer === null) {
      answer = headOf(chunk)
      left = answer.bytes
    }
    left -= chunk.length
    if (left > 0) return
    note(answer.status, performance.now() - sentAt)
    send()
  })
  return promise
}

type Head = { status: number; isLast: boolean; bytes: number }

const END = Buffer.from('\r\n\r\n')
/** Node writes names in small letters, nginx does not. */
const LENGTH = [Buffer.from('\r\ncontent-length: '), Buffer.from('\r\nContent-Length: ')] as const
const CLOSE = [Buffer.from('\r\nconnection: close'), Buffer.from('\r\nConnection: close')] as const

/** What the first bytes of an answer say; its head has come whole, or this throws. */
function headOf(chunk: Buffer): Head {
  const end = chunk.indexOf(END)
  if (end < 0) throw new Error(`half a head of an answer:\n${chunk.toString('latin1')}`)
  const head = chunk.subarray(0, end)
  const placeOf = ([small, large]: readonly [Buffer, Buffer]) => {
    const found = head.indexOf(small)
    return found < 0 ? head.indexOf(large) : found
  }
  const length = placeOf(LENGTH)
  const from = length + LENGTH[0].length
  return {
    status: Number(head.toString('latin1', 9, 12)),
    isLast: placeOf(CLOSE) >= 0,
    bytes:
      end + END.length + (length < 0 ? 0 : Number.parseInt(head.toString('latin1', from, from + 12), 10)),
  }
}
