import type { FastifyInstance } from 'fastify'
import { codeParams, watchOrder } from '#contract/recharge.ts'
import type { Api } from '#server/platform/http/api.ts'
import { serveEvents } from '#server/platform/http/events.ts'
import { validate } from '#server/platform/http/validate.ts'
import { isFinal } from './order.rules.ts'
import type { RechargeDeps } from './recharge-deps.ts'
import { getOrder } from './recharge.service.ts'

/** One order as server-sent events. */
export function registerOrderEvents(app: FastifyInstance, api: Api, deps: RechargeDeps): void {
  serveEvents(app, api, deps, {
    endpoint: watchOrder,
    channel: 'recharge_order',
    watchFor({ userId, request }) {
      const wanted = { code: validate(codeParams, request.params).code, userId }
      return { read: () => getOrder(deps, wanted), isAbout: (code) => code === wanted.code }
    },
    isFinal: ({ status }) => isFinal(status),
  })
}
