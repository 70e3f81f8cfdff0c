import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './reading.ts'

const BODY_BYTES_MAX = 64 * 1024
export const URL_LENGTH_MAX = 2_048
export const CONNECTIONS_MAX = 1_000
export const TIMEOUTS = { requestTimeout: 15_000, headersTimeout: 10_000 }

export function send(response: ServerResponse, { status, body }: Answer): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      ...(status === 503 ? { 'retry-after': '1' } : {}),
    })
    .end(JSON.stringify(body))
}

/** Null when it is larger than any call of the contract; the excess is read but not stored. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  return size <= BODY_BYTES_MAX ? Buffer.concat(chunks) : null
}
