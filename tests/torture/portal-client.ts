import { setTimeout as sleep } from 'node:timers/promises'

export type Answer = { status: number; body: any; retryAfterMs: number }

export type Request = {
  method: 'GET' | 'POST'
  path: string
  token?: string
  key?: string
  /** Where the player is, for a portal that trusts this machine as its proxy. */
  from?: string
  body?: unknown
  headers?: Record<string, string>
}

const PATIENCE_MS = 120_000
const TIMEOUT_MS = 15_000

/** A player's HTTP client: it repeats a request with the same key until the answer is definite. */
export class PortalClient {
  #url: string
  #patienceMs: number
  /** Requests that had no definite answer and were sent again. */
  repeats = 0

  constructor(url: string, patienceMs = PATIENCE_MS) {
    this.#url = url
    this.#patienceMs = patienceMs
  }

  moveTo(url: string): void {
    this.#url = url
  }

  /** What has no definite answer yet is not repeated any more, and fails. */
  giveUp(): void {
    this.#patienceMs = 0
  }

  /** One attempt; null without an answer. */
  async try(request: Request): Promise<Answer | null> {
    const { method, path, token, key, from, body, headers } = request
    try {
      const response = await fetch(this.#url + path, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(from === undefined ? {} : { 'x-forwarded-for': from }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await response.text()
      return {
        status: response.status,
        body: text === '' ? null : (JSON.parse(text) as unknown),
        retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1_000,
      }
    } catch {
      return null
    }
  }

  protected isDefinite({ status, body }: Answer, _request: Request): boolean {
    return status < 500 && status !== 429 && body?.code !== 'IN_PROGRESS'
  }

  /**
   * Success or a refusal; never a 5xx, a time-out, "still running", or "too fast", which is waited out unless that takes
   * longer than anybody has patience.
   */
  async untilDefinite(request: Request): Promise<Answer> {
    const began = Date.now()
    const deadline = () => began + this.#patienceMs
    for (let pauseMs = 20; Date.now() < deadline(); pauseMs = Math.min(pauseMs * 2, 500)) {
      const answer = await this.try(request)
      const isTooFast = answer?.status === 429
      if (isTooFast && Date.now() + answer.retryAfterMs > deadline()) return answer
      if (answer !== null && this.isDefinite(answer, request)) return answer
      this.repeats++
      const waitMs = isTooFast ? answer.retryAfterMs : pauseMs
      if (waitMs > PATIENCE_MS) {
        throw new Error(`${request.method} ${request.path} is one of too many, to be sent in ${waitMs} ms`)
      }
      await sleep(waitMs)
    }
    throw new Error(`${request.method} ${request.path} had no definite answer for ${this.#patienceMs} ms`)
  }
}
