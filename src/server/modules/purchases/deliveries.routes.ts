import {
  getDelivery as getDeliveryEndpoint,
  listDeliveries as listDeliveriesEndpoint,
} from '#contract/deliveries.ts'
import type { FastifyInstance } from 'fastify'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { registerDeliveryEvents } from './delivery-events.routes.ts'
import { getDelivery, listDeliveries } from './deliveries.service.ts'

export function registerDeliveries(app: FastifyInstance, api: Api, deps: PlatformDeps): void {
  api.serve(listDeliveriesEndpoint, ({ identity, query }) => listDeliveries(deps.db, identity.userId, query))
  api.serve(getDeliveryEndpoint, ({ identity, params }) =>
    getDelivery(deps.db, { id: params.id, userId: identity.userId }),
  )
  registerDeliveryEvents(app, api, deps)
}
