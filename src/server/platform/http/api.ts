import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SERVER_TIME_HEADER } from '#contract/constants.ts'
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import type { Clock } from '../values/clock.ts'
import { invariant, Refusal, invalidField } from '../values/errors.ts'
import { machineLimit, overLimitOf, type Limits } from '../limits/limits.ts'
import { clientKey, visitorOf, type Visitor } from './client-address.ts'
import { responseCache } from './cached-response.ts'
import { readForm, takeForms, type Form } from './form.ts'
import { InProcessReads, type ReadInput } from './in-process-reads.ts'
import { validate, validateQuery } from './validate.ts'

// Limits for calls of any kind. Counted in the process: a query per call would cost more
// than most calls do.
export const CALLS_PER_ADDRESS = machineLimit('calls-address', 1_200, 60)
export const CALLS_PER_SESSION = machineLimit('calls-session', 1_200, 60)

/** Who a live token belongs to. */
export type Identity = {
  userId: string
  sessionId: string
  /** A console session makes operator calls and no others. */
  kind: 'player' | 'console'
  /** A console session that was idle for too long: only a step-up unlocks it. */
  isLocked: boolean
  roles: readonly string[]
  permissions: readonly string[]
  /** Until when the session's last step-up is valid; null when it is not. */
  steppedUpUntil: Date | null
}

export type IdentifyOptions = {
  /** Calls that a page makes by itself are no use of the session: an idle console is locked although it listens. */
  isUse?: boolean
  /** The answer may be some seconds old: for a call that only reads. */
  isMemoryEnough?: boolean
}

/** Finds the identity behind a bearer token; null when no live session has it. */
export type Identify = (token: string, options?: IdentifyOptions) => Promise<Identity | null>

export type Call<E> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** The file of a call that takes a form; null when none came. */
  file: Buffer | null
  /** All files of a call that takes several. */
  files: readonly Buffer[]
  /** The caller's own key for this operation, when they sent one. */
  key: string | null
  /** The refusal of a call above the limit. Only set with an idempotency key, whose stored answer is returned all the same. */
  overLimit: Refusal | null
  request: FastifyRequest
  reply: FastifyReply
}

/** The address of a path as the router knows it. */
const addressOf = (path: string) => `/api${path.replace(/\{(\w+)\}/g, ':$1')}`

export type FileCall = { identity: Identity; request: FastifyRequest; reply: FastifyReply }

export type UserCall<E> = Call<E> & { identity: Identity }
export type OpenCall<E> = Call<E> & { identity: Identity | null }

/** What a player's act on their own account or TCoin needs of its call. */
export const playerRequestOf = <E>({ identity, key, overLimit, body, request }: UserCall<E>) => ({
  userId: identity.userId,
  key,
  overLimit,
  body,
  requestId: request.id,
})

type CallFor<E> = E extends { access: 'open' } ? OpenCall<E> : UserCall<E>

/** A read that anybody may make. The server makes it too, for its pages: then nobody is signed in and nobody visits. */
export type OpenRead<E> = ReadInput<E> & { identity: Identity | null; visitor: Visitor | null }

export type Handler<E> = (call: CallFor<E>) => Promise<HandledOf<E>>

/** Nothing where the endpoint has no answer. */
type HandledOf<E> = undefined extends AnswerOf<E> ? void : AnswerOf<E>

/** A handler of each of these calls that needs only the dependencies and the call. */
type Handlers<Calls, Deps> = {
  [Name in keyof Calls]?: (deps: Deps, call: CallFor<Calls[Name]>) => Promise<HandledOf<Calls[Name]>>
}

/** `operator`: any permission, also for calls whose required permission depends on the request. */
export function assertPermitted(
  {
    identity,
    request,
  }: { identity: Pick<Identity, 'userId' | 'permissions'>; request: Pick<FastifyRequest, 'log'> },
  permission: string | readonly string[],
): void {
  const { permissions } = identity
  const isPermitted =
    permission === 'operator'
      ? permissions.length > 0
      : [permission].flat().some((one) => permissions.includes(one))
  if (isPermitted) return
  request.log.warn({ userId: identity.userId, permission }, 'an operator call was refused')
  throw new Refusal('FORBIDDEN')
}

/** For acts that a stolen session alone must not be able to do. */
export function assertFreshProof(identity: Pick<Identity, 'steppedUpUntil'>): void {
  if (identity.steppedUpUntil === null) throw new Refusal('STEP_UP_REQUIRED')
}

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
    throw invalidField('Idempotency-Key', `Idempotency-Key phải dài từ 1 đến ${KEY_LENGTH_MAX} ký tự`)
  }
  return key
}

type Serving<E> = { handler: Handler<E>; cache: ReturnType<typeof responseCache> | undefined }

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Every answer tells the portal's time: what a read found is at least as new as that, what an act answers is from its end. Browsers
 * order answers by it, and count down to what the portal opens and closes.
 */
function tellTime(app: FastifyInstance, clock: Clock): void {
  const tell = ({ url }: FastifyRequest, reply: FastifyReply) => {
    if (url.startsWith('/api/')) reply.header(SERVER_TIME_HEADER, clock.now().getTime())
  }
  app.addHook('onRequest', (request, reply, proceed) => {
    tell(request, reply)
    proceed()
  })
  app.addHook('onSend', (request, reply, _body, proceed) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') tell(request, reply)
    proceed()
  })
}

export type ApiOptions = {
  clock: Clock
  identify: Identify
  limits: Limits
  /** Throws MAINTENANCE where a call is closed for its caller. */
  assertOpen(endpoint: Endpoint, identity: Identity | null): Promise<void>
}

/**
 * Turns endpoints of the contract into routes: identity first, then the schemas, then the limits, then the module's
 * handler. The answer is reduced to its schema, so that unlisted fields are never sent.
 */
export class Api {
  readonly #app: FastifyInstance
  readonly #options: ApiOptions
  /** Every call below `/api`, also those whose routes are registered elsewhere (`describe`). */
  readonly served: Endpoint[] = []
  readonly inProcessReads = new InProcessReads()

  constructor(app: FastifyInstance, options: ApiOptions) {
    this.#app = app
    this.#options = options
    tellTime(app, options.clock)
  }

  /** Like `serveRead`, for an answer that is the same object until it changes; with a tag. */
  serveCached<E extends Endpoint>(endpoint: E, read: (input: OpenRead<E>) => Promise<AnswerOf<E>>): void {
    invariant(endpoint.answer, 'what is cached is an answer')
    this.serveRead(endpoint, read, responseCache(endpoint.answer))
  }

  serve<E extends Endpoint>(
    endpoint: E,
    handler: Handler<E>,
    cache?: ReturnType<typeof responseCache>,
  ): void {
    this.describe(endpoint)
    if (!endpoint.form) return this.#route(this.#app, endpoint, { handler, cache })
    // A separate scope: all other routes refuse forms.
    this.#app.register(async (scope) => {
      await takeForms(scope)
      this.#route(scope, endpoint, { handler, cache })
    })
  }

  /** Serves those of the calls that have a handler here. */
  serveAll<Calls extends Readonly<Record<string, Endpoint>>, Deps>(
    calls: Calls,
    deps: Deps,
    handlers: Handlers<Calls, Deps>,
  ): void {
    const named = Object.entries(handlers) as [string, (deps: Deps, call: never) => Promise<void>][]
    for (const [name, handle] of named) {
      this.serve(calls[name] as Endpoint, (call) => handle(deps, call as never))
    }
  }

  /** Adds a call to the OpenAPI document; `serve` and `serveFile` do it themselves. */
  describe(endpoint: Endpoint): void {
    this.served.push(endpoint)
  }

  /** An open call that pages are rendered from. */
  serveRead<E extends Endpoint>(
    endpoint: E,
    read: (input: OpenRead<E>) => Promise<AnswerOf<E>>,
    cache?: ReturnType<typeof responseCache>,
  ): void {
    invariant(endpoint.access === 'open', 'pages are rendered for nobody in particular')
    const handler = (call: OpenCall<E>) => read({ ...call, visitor: visitorOf(call.request) })
    this.serve(endpoint, handler as unknown as Handler<E>, cache)
    this.inProcessReads.add(endpoint, async (input) => {
      await this.#options.assertOpen(endpoint, null)
      const answer = await read({ ...(input as ReadInput<E>), identity: null, visitor: null })
      return cache ? cache(answer as object).shown : endpoint.answer?.parse(answer)
    })
  }

  #route<E extends Endpoint>(app: FastifyInstance, endpoint: E, { handler, cache }: Serving<E>): void {
    app.route({
      method: endpoint.method,
      url: addressOf(endpoint.path),
      // A HEAD would read a whole file for nothing.
      exposeHeadRoute: endpoint.file === undefined,
      handler: async (request, reply) => {
        const isKeyed = endpoint.isIdempotent === true && request.headers['idempotency-key'] !== undefined
        const isOneTooMany = await this.#countAddress(request)
        // A client above the limit causes no database query, except where its key may have a stored answer.
        const identity = isOneTooMany && !isKeyed ? null : await this.#admit(endpoint, request)
        const overLimit = isOneTooMany ?? (await this.#countSession(identity))
        // What is above the limit causes no query.
        if (overLimit === null) await this.#options.assertOpen(endpoint, identity)
        // Refused before the form is read, which costs more.
        if (endpoint.form && overLimit !== null && !isKeyed) throw overLimit
        const form = await this.#readForm(endpoint, request, identity)
        const call = {
          params: endpoint.params ? validate(endpoint.params, request.params) : undefined,
          query: endpoint.query ? validateQuery(endpoint.query, request.query) : undefined,
          body: endpoint.body ? validate(endpoint.body, form ? form.fields : request.body) : undefined,
          file: form?.files[0] ?? null,
          files: form?.files ?? [],
          key: endpoint.isIdempotent ? idempotencyKey(request) : null,
          identity,
          overLimit,
          request,
          reply,
        }
        if (overLimit !== null && call.key === null) throw overLimit
        const answer = await handler(call as unknown as CallFor<E>)
        // Its handler has sent it, with what belongs to it.
        if (endpoint.file) return reply
        if (identity !== null || endpoint.path.startsWith('/auth/')) reply.header('cache-control', 'no-store')
        if (!endpoint.answer) return reply.code(204).send()
        if (cache) return cache(answer as object).sendTo(request, reply.type(JSON_TYPE))
        const shown = endpoint.answer.parse(answer) as object | null
        // Fastify sends an empty body for null, which is not JSON.
        if (shown === null) return reply.type(JSON_TYPE).send('null')
        const { proposal, proposals } = shown as { proposal?: unknown; proposals?: unknown }
        const isWaiting = endpoint.mayWait === true && Boolean(proposal ?? proposals)
        reply.code(isWaiting ? 202 : (endpoint.status ?? 200))
        return shown
      },
    })
  }

  /** Serves a list as a file too: same path with `.csv` behind it, same access and query. The handler validates the query. */
  serveFile(list: Endpoint, handler: (call: FileCall) => Promise<unknown>): void {
    const { summary, access, params, query } = list
    invariant(access !== 'open', 'files of lists are for those who may read the list')
    const path = `${list.path}.csv`
    this.describe({
      method: 'GET',
      path,
      access,
      summary: `As a CSV file: ${summary}`,
      file: 'text/csv',
      ...(params && { params }),
      ...(query && { query }),
    })
    this.#app.get(addressOf(path), async (request, reply) => {
      const identity = await this.require(request, access)
      reply.header('cache-control', 'no-store')
      return handler({ identity, request, reply })
    })
  }

  async #readForm(
    { form }: Endpoint,
    request: FastifyRequest,
    identity: Identity | null,
  ): Promise<Form | null> {
    if (!form) return null
    invariant(identity !== null, 'forms are for those who are signed in')
    return readForm(request, { form, sessionId: identity.sessionId })
  }

  /** The identity behind a request made outside `serve` (event streams, files); refuses when it has no access. */
  async require(
    request: FastifyRequest,
    access: Exclude<Endpoint['access'], 'open'> = 'user',
    { isUse } = { isUse: true },
  ): Promise<Identity> {
    const isOneTooMany = await this.#countAddress(request)
    if (isOneTooMany) throw isOneTooMany
    const identity = await this.#admitLive(access, request, isUse)
    const overLimit = await this.#countSession(identity)
    if (overLimit) throw overLimit
    return identity
  }

  async #recognise(request: FastifyRequest, isUse = true): Promise<Identity | null> {
    const token = bearerToken(request)
    const identity =
      token === null
        ? null
        : await this.#options.identify(token, { isUse, isMemoryEnough: request.method === 'GET' })
    request.userId = identity?.userId ?? null
    return identity
  }

  /** Whose session a request that is still being answered belongs to; null when it is valid no longer. */
  async admittedNow(request: FastifyRequest): Promise<Identity | null> {
    const token = bearerToken(request)
    const identity = token === null ? null : await this.#options.identify(token, { isUse: false })
    return identity?.isLocked ? null : identity
  }

  // Both count at once and let the caller refuse: a malformed request is refused first.
  async #countAddress(request: FastifyRequest): Promise<Refusal | null> {
    return overLimitOf(this.#options.limits, CALLS_PER_ADDRESS, clientKey(request.ip))
  }

  async #countSession(identity: Identity | null): Promise<Refusal | null> {
    if (identity === null) return null
    return overLimitOf(this.#options.limits, CALLS_PER_SESSION, identity.sessionId)
  }

  async #admit({ access, isOfBody }: Endpoint, request: FastifyRequest): Promise<Identity | null> {
    if (isOfBody) return null
    if (access !== 'open') return this.#admitLive(access, request)
    const identity = await this.#recognise(request)
    return identity?.kind === 'player' ? identity : null
  }

  async #admitLive(
    access: Exclude<Endpoint['access'], 'open'>,
    request: FastifyRequest,
    isUse = true,
  ): Promise<Identity> {
    const identity = await this.#recognise(request, isUse)
    if (identity === null) throw new Refusal('UNAUTHENTICATED')
    const permission = typeof access === 'object' ? access.permission : access
    const { userId, kind, isLocked } = identity
    if ((access === 'user') !== (kind === 'player') || (isLocked && access !== 'console')) {
      if (access !== 'user')
        request.log.warn({ userId, permission, kind, isLocked }, 'an operator call was refused')
      // A code opens a locked session; one that has ended is another refusal.
      throw new Refusal(isLocked && access !== 'user' ? 'SESSION_LOCKED' : 'UNAUTHENTICATED')
    }
    if (access !== 'user' && access !== 'console') assertPermitted({ identity, request }, permission)
    return identity
  }
}
