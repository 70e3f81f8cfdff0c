import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import { validate } from './validate.ts'
import { Refusal } from './refusal.ts'

/** Who a live token belongs to. `permissions` is empty for players who hold no role. */
export type Identity = { userId: string; sessionId: string; permissions: readonly string[] }

/** Finds the identity behind a bearer token; null when no live session has it. */
export type Identify = (token: string) => Promise<Identity | null>

export type Call<E> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** The caller's own key for this operation, when they sent one. */
  key: string | null
  request: FastifyRequest
  reply: FastifyReply
}

export type UserCall<E> = Call<E> & { identity: Identity }
export type OpenCall<E> = Call<E> & { identity: Identity | null }

type CallFor<E> = E extends { access: 'open' } ? OpenCall<E> : UserCall<E>

export type Handler<E> = (call: CallFor<E>) => Promise<AnswerOf<E>>

const KEY_LENGTH_MAX = 255

/** `Authorization: Bearer …` only: a token in a query, cookie or body counts for nothing. */
export function bearerToken(request: FastifyRequest): string | null {
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '')
  return match?.[1] ?? null
}

function idempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key.length < 1 || key.length > KEY_LENGTH_MAX) {
    throw new Refusal('VALIDATION', {
      message: `Idempotency-Key phải dài từ 1 đến ${KEY_LENGTH_MAX} kí tự`,
      errors: { 'Idempotency-Key': [`Idempotency-Key phải dài từ 1 đến ${KEY_LENGTH_MAX} kí tự`] },
    })
  }
  return key
}

/**
 * Turns endpoints of the contract into routes: identity first, then shape, then the module's verb. What leaves is cut
 * down to the answer's schema, so that a field nobody listed never gets out.
 */
export class Api {
  readonly #app: FastifyInstance
  readonly #identify: Identify
  readonly served: Endpoint[] = []

  constructor(app: FastifyInstance, identify: Identify) {
    this.#app = app
    this.#identify = identify
  }

  serve<E extends Endpoint>(endpoint: E, handler: Handler<E>): void {
    this.served.push(endpoint)
    this.#app.route({
      method: endpoint.method,
      url: `/api${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        const identity = await this.#admit(endpoint, request)
        const call = {
          params: endpoint.params ? validate(endpoint.params, request.params) : undefined,
          query: endpoint.query ? validate(endpoint.query, request.query) : undefined,
          body: endpoint.body ? validate(endpoint.body, request.body) : undefined,
          key: endpoint.isIdempotent ? idempotencyKey(request) : null,
          identity,
          request,
          reply,
        }
        const answer = await handler(call as unknown as CallFor<E>)
        if (identity !== null || endpoint.path.startsWith('/auth/')) reply.header('cache-control', 'no-store')
        if (!endpoint.answer) return reply.code(204).send()
        reply.code(endpoint.status ?? 200)
        return endpoint.answer.parse(answer)
      },
    })
  }

  /** The identity behind a request made outside `serve` (event streams); refuses when there is none. */
  async require(request: FastifyRequest): Promise<Identity> {
    const identity = await this.#recognise(request)
    if (identity === null) throw new Refusal('UNAUTHENTICATED')
    return identity
  }

  async #recognise(request: FastifyRequest): Promise<Identity | null> {
    const token = bearerToken(request)
    const identity = token === null ? null : await this.#identify(token)
    request.userId = identity?.userId ?? null
    return identity
  }

  async #admit(endpoint: { access: Endpoint['access'] }, request: FastifyRequest): Promise<Identity | null> {
    if (endpoint.access === 'open') return this.#recognise(request)
    const identity = await this.require(request)
    if (endpoint.access === 'user') return identity
    const { permission } = endpoint.access
    if (!identity.permissions.includes(permission)) {
      request.log.warn({ userId: identity.userId, permission }, 'an operator call was refused')
      throw new Refusal('FORBIDDEN')
    }
    return identity
  }
}
