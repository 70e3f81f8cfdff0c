import { connect, type Socket } from 'node:net'
import { readAnswer } from './ledger/plain-http.ts'

/** One request as it goes over the line; the ready-made bytes cost the sender next to nothing. */
export type Ready = Buffer

export type Load = { answered: number; failed: number; seconds: number; latenciesMs: number[] }

type Asked = {
  url: URL
  method: 'GET' | 'POST'
  address: string
  token?: string
  key?: string
  body?: object
}

export function readyRequest({ url, method, address, token, key, body }: Asked): Ready {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    `x-forwarded-for: ${address}`,
    'accept-encoding: br',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(key === undefined ? [] : [`idempotency-key: ${key}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${text.length}`]),
  ]
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${text}`)
}

/** Keeps so many connections busy, one request after the other on each, over plain sockets: a client that costs little. */
export async function cheapLoad(
  { hostname, port }: URL,
  next: () => Ready,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Load> {
  const start = performance.now()
  const deadline = start + seconds * 1_000
  const load: Load = { answered: 0, failed: 0, seconds, latenciesMs: [] }
  await Promise.all(
    Array.from({ length: connections }, () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      return askOn(socket, next, (status, ms) => {
        load.latenciesMs.push(ms)
        if (status === 200) load.answered++
        else load.failed++
        return performance.now() < deadline
      })
    }),
  )
  load.seconds = (performance.now() - start) / 1_000
  return load
}

function askOn(
  socket: Socket,
  next: () => Ready,
  onAnswer: (status: number, ms: number) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let held: Buffer = Buffer.alloc(0)
    socket.once('error', reject)
    let since = 0
    const ask = () => {
      since = performance.now()
      socket.write(next())
    }
    socket.once('connect', ask)
    socket.once('close', () => resolve())
    socket.on('data', (chunk: Buffer) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const answer = readAnswer(held)
      if (answer === null) return
      held = held.subarray(answer.length)
      if (onAnswer(answer.status, performance.now() - since)) ask()
      else socket.destroy()
    })
  })
}
