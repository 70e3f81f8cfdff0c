import { setTimeout as sleep } from 'node:timers/promises'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  openOutbound,
  type OutboundAnswer,
  OutboundFailure,
  type OutboundRequest,
} from '#server/platform/http/outbound.ts'
import { usableSecrets } from '#server/platform/values/crypto.ts'
import { invariant } from '#server/platform/values/errors.ts'

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

/** SePay allows an address three calls a second; of Casso nothing is known, and a list can wait. */
const PACE_MS = 340
const TRIES_MAX = 3
/** The longest wait within one round; the next round tries again. */
const WAIT_MAX_SECONDS = 10
/** Of one try: MoMo asks for as much. */
const TIMEOUT_MS_MAX = 30_000
/** No call takes longer, with its tries and the waits between them. */
export const PROVIDER_CALL_MS_MAX = TRIES_MAX * TIMEOUT_MS_MAX + (TRIES_MAX - 1) * WAIT_MAX_SECONDS * 1_000

/** HTTP calls to a provider through `platform/outbound`: rate limited, with time-outs, retried after a 429. */
export function openProviderCall({ baseUrl, timeoutMs, paceMs = PACE_MS }: CallOptions): ProviderCall {
  invariant(timeoutMs <= TIMEOUT_MS_MAX, 'leases are as long as the calls that they cover')
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
    const now = performance.now()
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
    // The caller's schema refuses it with everything else that is not the expected answer.
    return undefined
  }
}

/** A call to a provider without a usable answer. What it requested may still have happened there. */
export class ProviderFailure extends Error {
  readonly kind: 'unreachable' | 'busy' | 'refused' | 'unreadable'
  /** How long it requires us to wait. */
  readonly retryAfterSeconds: number | undefined
  /** The body of its refusal: MoMo refuses in JSON under HTTP 4xx as well. */
  readonly answer: string | undefined
  /** Not a byte of the request left this machine, so nothing can have happened. */
  readonly isUnsent: boolean

  constructor(
    kind: ProviderFailure['kind'],
    message: string,
    options: {
      retryAfterSeconds?: number | undefined
      isUnsent?: boolean
      answer?: string
      cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'ProviderFailure'
    this.kind = kind
    this.retryAfterSeconds = options.retryAfterSeconds
    this.answer = options.answer
    this.isUnsent = options.isUnsent ?? false
  }
}

export type HmacAlgorithm = 'sha256' | 'sha512'

/** Hexadecimal digits, as all providers write them. */
export function hmacHex(algorithm: HmacAlgorithm, secret: string, text: string): string {
  if (secret === '') throw new RangeError('an empty secret signs nothing')
  return createHmac(algorithm, secret).update(text).digest('hex')
}

/** Whether the digits given are one of those made, in a time that does not depend on how much of it matches. */
export function isOneOf(given: string, made: readonly string[]): boolean {
  return made
    .map((digits) => {
      const isShaped = given.length === digits.length && /^[0-9a-fA-F]+$/.test(given)
      return isShaped && timingSafeEqual(Buffer.from(given, 'hex'), Buffer.from(digits, 'hex'))
    })
    .includes(true)
}

/** A secret that is sent along as it is. Digests have one length, so that the comparison does not give away the secret's. */
export function isSecret(given: string, secrets: readonly string[]): boolean {
  return usableSecrets(secrets)
    .map((secret) => timingSafeEqual(digest(secret), digest(given)))
    .includes(true)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
