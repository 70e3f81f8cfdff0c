import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { ORDER_EVENTS_PATH } from '#contract/recharge.ts'
import type { Api } from '#server/platform/http/api.ts'
import { serveEvents } from '#server/platform/http/events.ts'
import { validate } from '#server/platform/http/validate.ts'
import { isFinal } from './order.rules.ts'
import type { RechargeDeps } from './recharge-deps.ts'
import { getOrder } from './recharge.service.ts'

const params = z.object({ code: z.string().check(z.maxLength(32)) })

/** The Order as server-sent events. */
export function registerOrderEvents(app: FastifyInstance, api: Api, deps: RechargeDeps): void {
  serveEvents(app, api, deps, {
    path: ORDER_EVENTS_PATH,
    channel: 'recharge_order',
    watchFor({ userId, request }) {
      const wanted = { code: validate(params, request.params).code, userId }
      return { read: () => getOrder(deps, wanted), isAbout: (code) => code === wanted.code }
    },
    isFinal: ({ status }) => isFinal(status),
  })
}
