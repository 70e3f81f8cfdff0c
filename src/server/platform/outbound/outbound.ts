import { isInTransaction } from '../db/transaction.ts'
import { invariant } from '../invariant.ts'

export type OutboundRequest = {
  url: string
  method: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string>
  body?: string
  /** The whole call: connecting, sending, and reading the answer. */
  timeoutMs: number
}

export type OutboundAnswer = { status: number; text: string }

const ANSWER_BYTES_MAX = 1024 * 1024

/**
 * The only door to other machines. Calls only the hosts it was made for, follows no redirect, has a time-out, reads a
 * bounded answer, and refuses to start while a transaction is open: a slow partner must never hold our locks.
 */
export function openOutbound(allowedOrigins: readonly string[]) {
  return async function send(request: OutboundRequest): Promise<OutboundAnswer> {
    invariant(!isInTransaction(), 'nothing is called over the network inside a transaction')
    invariant(allowedOrigins.includes(new URL(request.url).origin), 'only listed hosts are called')
    const response = await fetch(request.url, {
      method: request.method,
      redirect: 'error',
      signal: AbortSignal.timeout(request.timeoutMs),
      ...(request.headers ? { headers: request.headers } : {}),
      ...(request.body === undefined ? {} : { body: request.body }),
    })
    return { status: response.status, text: await boundedText(response) }
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > ANSWER_BYTES_MAX) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
