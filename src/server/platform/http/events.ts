import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import type { DatabaseListener } from '../db/listener.ts'
import type { Channel } from '../db/notices.ts'
import { invariant, Refusal } from '../values/errors.ts'
import { count } from '../metrics/metrics.ts'
import { shareOfMachine } from '../process/identity.ts'
import type { Api, Identity } from './api.ts'
import { EventStreams, STREAM_LIMITS, type Watch } from './event-streams.ts'

/** Counts the stream until its answer is over; throws when the client's address has too many. */
function countOfAddress(app: FastifyInstance, { ip }: FastifyRequest, reply: FastifyReply): void {
  const { excess, remove } = app.openStreams.add(ip)
  reply.raw.once('close', remove)
  if (excess === 0) return
  count('portal_clients_refused_total', { kind: 'stream' })
  throw tooManyOfOneAddress()
}

/** Data that changes while a player looks at it. */
export type EventSource<Shown> = {
  /** The call as the contract describes it: its answer is the data of each event. */
  endpoint: Endpoint
  /** Announces changes. */
  channel: Channel
  /** What one caller watches. */
  watchFor(caller: { userId: string; request: FastifyRequest }): {
    /** Throws when it does not exist for this player. */
    read(identity: Identity): Promise<Shown>
    /** Whether a message of the channel is about it. */
    isAbout(message: string): boolean
  }
  isFinal: Watch<Shown>['isFinal']
}

const RETRY_SECONDS = 10

const tooManyOfOneAddress = () =>
  new Refusal('RATE_LIMITED', {
    message: 'Mạng của bạn đang mở quá nhiều trang tự cập nhật cùng lúc, vui lòng đóng bớt trang',
    retryAfterSeconds: RETRY_SECONDS,
  })

const tooManyOfOnePlayer = () =>
  new Refusal('RATE_LIMITED', {
    message: 'Bạn đang mở quá nhiều trang tự cập nhật cùng lúc, vui lòng đóng bớt trang',
    retryAfterSeconds: RETRY_SECONDS,
  })

/** Serves data as server-sent events. Clients that cannot stream poll every few seconds instead. */
export function serveEvents<Shown>(
  app: FastifyInstance,
  api: Api,
  { listener }: { listener: DatabaseListener },
  { endpoint, channel, watchFor, isFinal }: EventSource<Shown>,
): void {
  const { path, access } = endpoint
  invariant(access !== 'open', 'streams are for those who are signed in')
  api.describe(endpoint)
  const streams = new EventStreams({
    ...STREAM_LIMITS,
    // A player's pages are spread over the processes unevenly, so each allows more than its part.
    perPlayer: shareOfMachine(STREAM_LIMITS.perPlayer, 3),
  })
  app.addHook('preClose', async () => streams.endAll())
  // Listens from the start: a stream that had to subscribe first would miss notifications until then.
  for (const each of [channel, 'session_ended'] as const) listener.on(each, () => {})
  app.route({
    method: 'GET',
    url: `/api${path.replace(/\{(\w+)\}/g, ':$1')}`,
    // A HEAD would open a stream for nothing.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const identity = await api.require(request, access, { isUse: false })
      const { userId, sessionId } = identity
      const { read, isAbout } = watchFor({ userId, request })
      const first = await read(identity)
      countOfAddress(app, request, reply)
      if (streams.isFullFor(userId)) throw tooManyOfOnePlayer()
      if (streams.isFull()) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS })
      reply.header('content-type', 'text/event-stream; charset=utf-8')
      reply.header('cache-control', 'no-store')
      // Buffering proxies would hold each event back until there are enough of them.
      reply.header('x-accel-buffering', 'no')
      return streams.open({
        userId,
        first,
        read: async () => {
          const present = await api.admittedNow(request)
          return present === null ? null : read(present)
        },
        isFinal,
        onHint: (hint) => {
          const stops = [
            listener.on(channel, (message) => {
              if (isAbout(message)) hint()
            }),
            listener.on('session_ended', (id) => {
              if (id === sessionId) hint()
            }),
          ]
          return () => {
            for (const stop of stops) stop()
          }
        },
        onError: (error) => request.log.warn({ err: error }, 'what a stream shows could not be read'),
      })
    },
  })
}
