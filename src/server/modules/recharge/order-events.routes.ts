import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { ORDER_EVENTS_PATH } from '#contract/recharge.ts'
import { SESSION_ENDED, type Api } from '#server/platform/http/api.ts'
import { validate } from '#server/platform/http/validate.ts'
import { OrderStreams, STREAM_LIMITS } from './order-streams.ts'
import type { RechargeDeps } from './recharge-deps.ts'
import { tooManyStreams, tooManyStreamsOfOne } from './recharge.errors.ts'
import { getOrder } from './recharge.service.ts'

/** The channel (PostgreSQL's NOTIFY) that tells the code of an order that changed. */
const ORDER_CHANGED = 'recharge_order'

const params = z.object({ code: z.string().check(z.maxLength(32)) })

/** The Order as server-sent events. Whoever cannot stream asks for the order every few seconds instead. */
export function registerOrderEvents(app: FastifyInstance, api: Api, deps: RechargeDeps): void {
  const streams = new OrderStreams(STREAM_LIMITS)
  app.addHook('preClose', async () => streams.endAll())
  // Listened to from the start: a stream that had to ask for a channel would miss what is told until the answer.
  for (const channel of [ORDER_CHANGED, SESSION_ENDED]) deps.notifications.on(channel, () => {})
  app.route({
    method: 'GET',
    url: `/api${ORDER_EVENTS_PATH.replace('{code}', ':code')}`,
    // A HEAD would open a stream for nothing.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { userId, sessionId } = await api.require(request)
      const wanted = { code: validate(params, request.params).code, userId }
      const first = await getOrder(deps, wanted)
      if (streams.isFullFor(userId)) throw tooManyStreamsOfOne()
      if (streams.isFull()) throw tooManyStreams()
      reply.header('content-type', 'text/event-stream; charset=utf-8')
      reply.header('cache-control', 'no-store')
      // Buffering proxies would hold each event back until there are enough of them.
      reply.header('x-accel-buffering', 'no')
      return streams.open({
        userId,
        first,
        read: async () => ((await api.isAdmitted(request)) ? getOrder(deps, wanted) : null),
        onHint: (listener) => {
          const stops = [
            deps.notifications.on(ORDER_CHANGED, (code) => {
              if (code === wanted.code) listener()
            }),
            deps.notifications.on(SESSION_ENDED, (id) => {
              if (id === sessionId) listener()
            }),
          ]
          return () => {
            for (const stop of stops) stop()
          }
        },
        onError: (error) => request.log.warn({ err: error }, 'an order could not be read for its stream'),
      })
    },
  })
}
