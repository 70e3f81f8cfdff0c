import { randomUUID } from 'node:crypto'
import { createServer, type Server, type ServerOptions } from 'node:http'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { ErrorCode, RefusalBody } from '#contract/errors.ts'
import type { Log } from '../log/log.ts'
import { shareOfMachine } from '../process/identity.ts'
import { isAmbiguous, isDeeperThan } from './malformed-requests.ts'
import { answerRecorder, traceRequests } from './request-log.ts'
import { ClientConnections, OpenByClient } from './client-connections.ts'
import { earlyListener } from './early-answers.ts'
import { refuseBadAddress, refuseBrokenRequests, refuseOtherMethods, SECURITY_HEADERS } from './edge.ts'
import { operationalRefusal, unstorableRefusal } from '../db/operational-failures.ts'
import { Refusal } from '../values/errors.ts'

export type HttpOptions = {
  log: Log
  /** Exact addresses of proxies whose X-Forwarded-For counts. */
  trustProxy: string[]
  /** For each client address; 0 is no limit. */
  connectionsPerAddress: number
  streamsPerAddress: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Event streams, by the address of the client. */
    openStreams: OpenByClient
  }
  interface FastifyRequest {
    /** The user, once a valid session is known, for the log. */
    userId: string | null
    refusalCode: ErrorCode | null
  }
}

const BODY_LIMIT_BYTES = 256 * 1024
/** The rest of a refused body is read and dropped up to here: more than any proxy of ours lets through. */
const DROPPED_BYTES_MAX = 16 * 1024 * 1024
const JSON_DEPTH_MAX = 20
/** Including the query. No address of ours is a quarter as long. */
const ADDRESS_LENGTH_MAX = 2_000

/** Time limits for a whole request and for its head, against slow clients that hold connections. */
const REQUEST_MS_MAX = 30_000
const HEADERS_MS_MAX = 10_000
/** Longer than proxies keep idle connections. */
const KEEP_ALIVE_MS = 72_000
/** How often slow ones are looked for. */
const SLOW_CHECK_MS = 2_000
/** Further connections are closed at once: each costs some memory even when it is idle. */
const CONNECTIONS_MAX = 10_000

/** The HTTP server with everything that is the same for every call: limits, request ids, logging, refusals. */
export function openHttp(options: HttpOptions): FastifyInstance {
  const { log, trustProxy, connectionsPerAddress, streamsPerAddress } = options
  const connections = new ClientConnections({
    log,
    trustProxy,
    connectionsMax: ownShare(connectionsPerAddress),
  })
  const app = Fastify({
    loggerInstance: log,
    // Requests are logged below, by route.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: (framework) => openServer(framework, connections),
    routerOptions: { maxParamLength: 200 },
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    // What arrived before the port closed is served; what of it is not, `start/shutdown.ts` decides.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: refuseBadAddress,
    clientErrorHandler: refuseBrokenRequests(log),
  })
  app.decorate('openStreams', new OpenByClient(ownShare(streamsPerAddress)))
  readJson(app)
  traceRequests(app)
  app.decorateRequest('userId', null)
  app.decorateRequest('refusalCode', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    if (isAmbiguous(request.raw)) {
      // The rest of the connection may be what two servers would read differently.
      reply.headers({ 'cache-control': 'no-store', connection: 'close' })
      throw new Refusal('BAD_REQUEST')
    }
    if (request.url.length <= ADDRESS_LENGTH_MAX) return
    reply.header('cache-control', 'no-store')
    const refusal = new Refusal('URI_TOO_LONG')
    if (request.url.startsWith('/api/')) throw refusal
    return reply.code(refusal.status).type('text/plain; charset=utf-8').send(refusal.message)
  })
  const record = answerRecorder(log)
  app.addHook('onResponse', async (request, reply) => {
    const elapsed_ms = reply.elapsedTime
    const line = {
      requestId: request.id,
      method: request.method,
      // The route, not the address: addresses may hold tokens.
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(elapsed_ms),
      address: request.ip,
      userId: request.userId ?? undefined,
      refusal: request.refusalCode ?? undefined,
    }
    record(line, elapsed_ms)
  })
  app.setNotFoundHandler(refuseOtherMethods)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') readOnAfterRefusal(request, reply)
    return sendRefusal(asRefusal(error, request.log), request, reply)
  })
  return app
}

const SERVER_OPTIONS: ServerOptions = {
  requestTimeout: REQUEST_MS_MAX,
  headersTimeout: HEADERS_MS_MAX,
  connectionsCheckingInterval: SLOW_CHECK_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
}

/** Clients are spread over the processes of a machine unevenly: each allows at least half of a limit. */
const ownShare = (limit: number) => shareOfMachine(limit, Math.ceil(limit / 2))

function openServer(framework: Parameters<typeof earlyListener>[1], connections: ClientConnections): Server {
  const listener = earlyListener(() => server, framework)
  const server: Server = createServer(SERVER_OPTIONS, (request, response) => {
    if (!connections.refuses(request, response)) listener(request, response)
  })
  connections.watch(server)
  server.maxConnections = CONNECTIONS_MAX
  return server
}

/**
 * Fastify closes the connection on which too large a body is still coming. A proxy that is sending it then sees a broken
 * connection instead of the refusal, and counts this process as failing.
 */
function readOnAfterRefusal(request: FastifyRequest, reply: FastifyReply): void {
  const announced = Number(request.headers['content-length'])
  if (announced <= DROPPED_BYTES_MAX) reply.removeHeader('connection')
}

/**
 * A body is JSON of bounded depth without keys that reach prototypes. Calls that take none are accepted with an empty
 * one, whatever content type they claim.
 */
function readJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (isDeeperThan(body as string, JSON_DEPTH_MAX)) return done(new Refusal('BAD_REQUEST'), undefined)
    parseJson(request, body as string, done)
  })
}

/** Unknown calls under `/api/*` get a refusal in JSON. */
export function refuseUnknownCalls(app: FastifyInstance): void {
  app.all('/api/*', async () => {
    throw new Refusal('NOT_FOUND')
  })
}

/** The refusal that a failure is answered with; an unexpected failure is logged. */
export function asRefusal(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error
  const operational = operationalRefusal(error)
  if (operational) {
    log.warn({ err: error }, 'an operational failure was answered with 503')
    return operational
  }
  const unstorable = unstorableRefusal(error)
  if (unstorable) return unstorable
  const status = (error as Partial<FastifyError>).statusCode ?? 500
  if (status === 413) return new Refusal('PAYLOAD_TOO_LARGE')
  if (status >= 400 && status < 500) return new Refusal('BAD_REQUEST')
  log.error({ err: error }, 'a request failed')
  return new Refusal('INTERNAL')
}

/** Refused acts open a dialog, except where the form itself shows the sentence (design: login and register). */
function isReported(request: FastifyRequest, refusal: Refusal): boolean {
  if (request.method === 'GET' || refusal.status >= 500 || refusal.status === 401 || refusal.status === 403)
    return false
  return !/^\/api\/auth\/(login|register)$/.test(request.routeOptions.url ?? '')
}

function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body: RefusalBody = {
    code: refusal.code,
    message: refusal.message,
    ...(isReported(request, refusal) ? { report: true } : {}),
    ...(refusal.errors ? { errors: refusal.errors } : {}),
    ...(refusal.offer ? { offer: refusal.offer } : {}),
    ...(refusal.until === undefined ? {} : { until: refusal.until }),
    ...(refusal.present === undefined ? {} : { present: refusal.present }),
    requestId: request.id,
  }
  request.refusalCode = refusal.code
  const retryAfter =
    refusal.retryAfterSeconds ?? (refusal.status === 503 || refusal.status === 429 ? 2 : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  return reply.code(refusal.status).header('cache-control', 'no-store').send(body)
}
