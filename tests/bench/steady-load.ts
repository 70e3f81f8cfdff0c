import { connect } from 'node:net'
import { anAddress } from '#tests/support/players.ts'
import { contentOf, headersOf, methodOf, type Request } from '../harness/client.ts'

/** One request as it goes over the line; the ready-made bytes cost the sender next to nothing. */
export type Ready = Buffer

/** As a browser sends it; behind this machine, which the portal trusts as its proxy. */
export const browserHeaders = ({ from = anAddress(), ...request }: Request): Record<string, string> => ({
  'x-forwarded-for': from,
  'accept-encoding': 'gzip, deflate, br, zstd',
  'user-agent': 'Mozilla/5.0 (bench)',
  ...headersOf(request),
})

export function readyRequest(request: Request): Ready {
  const content = String(contentOf(request) ?? '')
  const headers = {
    host: 'portal.test',
    ...browserHeaders(request),
    ...(content === '' ? {} : { 'content-length': Buffer.byteLength(content) }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([`${methodOf(request)} ${request.path} HTTP/1.1`, ...lines, '', content].join('\r\n'))
}

export type Steady = {
  url: string
  next: (count: number) => Ready
  connections: number
  /** Ends after so many answers, or seconds. */
  answers?: number
  seconds?: number
  /** What share of the answers may be others than 200; none when left out. */
  refusedMax?: number
}

export type Load = {
  answered: number
  perSecond: number
  seconds: number
  latenciesMs: number[]
}

/**
 * Plain requests one after the other on each connection, read as cheaply as can be: the load shares the machine, and with a
 * client that costs as much as the server all servers would seem equally fast.
 */
export async function steadyLoad(load: Steady): Promise<Load> {
  const { next, connections, answers = Infinity, seconds: secondsMax = Infinity, refusedMax = 0 } = load
  const url = new URL(load.url)
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
  await Promise.all(Array.from({ length: connections }, () => sendOn(url, takeNext, note)))
  const seconds = (performance.now() - start) / 1_000
  const answered = latenciesMs.length
  if (answered - (statuses[200] ?? 0) > answered * refusedMax)
    throw new Error(`requests to ${url.href} were answered ${JSON.stringify(statuses)}`)
  return { answered, perSecond: answered / seconds, seconds, latenciesMs }
}

/** On one connection, and the next one when a server takes no more requests on it. */
function sendOn(
  url: URL,
  takeNext: () => Ready | null,
  note: (status: number, ms: number) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const open = () => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    /** Of the answer that is being read; null before its head is there. */
    let head: Head | null = null
    let left = 0
    let sentAt = 0
    const send = () => {
      const request = takeNext()
      if (request === null) {
        resolve()
        return void socket.destroy()
      }
      head = null
      sentAt = performance.now()
      socket.write(request)
    }
    socket.once('connect', send).once('error', reject)
    socket.once('close', () => {
      if (head?.isLast) open()
      else reject(new Error('the server closed a connection'))
    })
    socket.on('data', (chunk: Buffer) => {
      if (head === null) {
        head = headOf(chunk)
        left = head.bytes
      }
      left -= chunk.length
      if (left > 0) return
      note(head.status, performance.now() - sentAt)
      if (head.isLast) socket.destroy()
      else send()
    })
  }
  open()
  return promise
}

/** `bytes`: of the whole answer. */
type Head = { status: number; isLast: boolean; bytes: number }

/** What the first bytes of an answer say; its head has come whole, or this throws. */
function headOf(chunk: Buffer): Head {
  const end = chunk.indexOf('\r\n\r\n')
  if (end < 0) throw new Error(`half a head of an answer:\n${chunk.toString('latin1')}`)
  const head = chunk.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? '0'
  return {
    status: Number(head.slice(9, 12)),
    isLast: /\r\nconnection: close/i.test(head),
    bytes: end + 4 + Number(length),
  }
}
