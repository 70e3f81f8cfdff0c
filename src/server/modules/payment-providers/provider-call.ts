import { setTimeout as sleep } from 'node:timers/promises'
import {
  openOutbound,
  OutboundFailure,
  type OutboundAnswer,
  type OutboundRequest,
} from '#server/platform/outbound/outbound.ts'
import { ProviderFailure } from './provider-failure.ts'

export type ProviderRequest = {
  method: 'GET' | 'POST'
  /** With its query. */
  path: string
  headers?: Record<string, string>
  body?: unknown
}

/** Answers the text of a 2xx; anything else is a ProviderFailure. */
export type ProviderCall = (request: ProviderRequest) => Promise<string>

export type CallOptions = {
  baseUrl: string
  timeoutMs: number
  /** Between the beginnings of two calls. */
  paceMs?: number | undefined
}

/** SePay lets an address ask three times a second; of Casso nothing is known, and a list can wait. */
const PACE_MS = 340
const TRIES_MAX = 3
/** The longest wait within one round; the next round tries again. */
const WAIT_MAX_SECONDS = 10

/** HTTP calls to a provider through `platform/outbound`: rate limited, with time-outs, retried after a 429. */
export function openProviderCall({ baseUrl, timeoutMs, paceMs = PACE_MS }: CallOptions): ProviderCall {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  const send = openOutbound([base.origin])
  const takeTurn = openPace(paceMs)

  return async function call({ method, path, headers = {}, body }) {
    const request: OutboundRequest = {
      url: base.origin + prefix + path,
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
    }
    for (let attempt = 1; ; attempt += 1) {
      await takeTurn()
      const answer = await sendOnce(send, request)
      if (answer.status !== 429) return readAnswer(answer)
      const seconds = answer.retryAfterSeconds ?? 1
      if (attempt >= TRIES_MAX || seconds > WAIT_MAX_SECONDS) {
        throw new ProviderFailure('busy', 'the provider answers no more for now', {
          retryAfterSeconds: seconds,
        })
      }
      await sleep(seconds * 1_000)
    }
  }
}

/** Lets calls through one by one, each a little after the one before; also those that were made at once. */
function openPace(paceMs: number): () => Promise<void> {
  let nextAt = 0
  return async () => {
    const now = Date.now()
    const turnAt = Math.max(now, nextAt)
    nextAt = turnAt + paceMs
    if (turnAt > now) await sleep(turnAt - now)
  }
}

async function sendOnce(
  send: (request: OutboundRequest) => Promise<OutboundAnswer>,
  request: OutboundRequest,
): Promise<OutboundAnswer> {
  try {
    return await send(request)
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    throw new ProviderFailure('unreachable', error.message, { isUnsent: !error.wasConnected, cause: error })
  }
}

/** The body stays out of the message: it may name players. */
function readAnswer({ status, text, retryAfterSeconds }: OutboundAnswer): string {
  if (status >= 200 && status <= 299) return text
  throw new ProviderFailure('refused', `the provider answered HTTP ${status}`, {
    retryAfterSeconds,
    answer: text,
  })
}

/** Undefined, which is no JSON value, for what is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller's schema refuses it with everything else that is not what was asked for.
    return undefined
  }
}
