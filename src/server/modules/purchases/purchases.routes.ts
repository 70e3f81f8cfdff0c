import type { FastifyInstance } from 'fastify'
import {
  getDelivery as getDeliveryEndpoint,
  listDeliveries as listDeliveriesEndpoint,
  watchDeliveries,
} from '#contract/deliveries.ts'
import { buyPackage, getExchange, storeExchange } from '#contract/exchange.ts'
import { type Api, playerRequestOf } from '#server/platform/http/api.ts'
import { serveEvents } from '#server/platform/http/events.ts'
import { getDelivery, listDeliveries, listRecentDeliveries } from './deliveries.service.ts'
import { purchase, type PurchaseDeps, readExchange } from './purchase.service.ts'
import { OFFERS } from './offers.ts'

export function registerPurchases(app: FastifyInstance, api: Api, deps: PurchaseDeps): void {
  api.serveRead(getExchange, ({ identity }) => readExchange(deps, identity?.userId ?? null))
  api.serve(storeExchange, (call) => purchase(deps, OFFERS.exchange, playerRequestOf(call)))
  api.serve(buyPackage, (call) => purchase(deps, OFFERS.gift, playerRequestOf(call)))
  api.serve(listDeliveriesEndpoint, ({ identity, query }) => listDeliveries(deps.db, identity.userId, query))
  api.serve(getDeliveryEndpoint, ({ identity, params }) =>
    getDelivery(deps.db, { id: params.id, userId: identity.userId }),
  )
  serveEvents(app, api, deps, {
    endpoint: watchDeliveries,
    channel: 'delivery_changed',
    watchFor: ({ userId }) => ({
      read: () => listRecentDeliveries(deps.db, userId),
      isAbout: (changedOf) => changedOf === userId,
    }),
    // The next purchase may come at any time.
    isFinal: () => false,
  })
}
