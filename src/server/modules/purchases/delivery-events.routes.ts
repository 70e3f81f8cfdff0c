import type { FastifyInstance } from 'fastify'
import { DELIVERY_EVENTS_PATH } from '#contract/deliveries.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { serveEvents } from '#server/platform/http/events.ts'
import { listRecentDeliveries } from './deliveries.service.ts'

/** The player's latest purchases as server-sent events. */
export function registerDeliveryEvents(app: FastifyInstance, api: Api, deps: PlatformDeps): void {
  serveEvents(app, api, deps, {
    path: DELIVERY_EVENTS_PATH,
    channel: 'delivery_changed',
    watchFor: ({ userId }) => ({
      read: () => listRecentDeliveries(deps.db, userId),
      isAbout: (changedOf) => changedOf === userId,
    }),
    // The next purchase may come at any time.
    isFinal: () => false,
  })
}
