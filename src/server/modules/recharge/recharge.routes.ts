import type { FastifyInstance } from 'fastify'
import {
  cancelOrder as cancelOrderCall,
  codeParams,
  createOrder as createOrderCall,
  getOrder as getOrderCall,
  listChannels as listChannelsCall,
  listOrders as listOrdersCall,
  paySandbox,
  watchOrder,
} from '#contract/recharge.ts'
import type { Api } from '#server/platform/http/api.ts'
import { serveEvents } from '#server/platform/http/events.ts'
import { validate } from '#server/platform/http/validate.ts'
import { isFinal } from './order.rules.ts'
import { createOrder } from './placing.service.ts'
import { cancelOrder, getOrder, listChannels, listOrders, type OrderReads } from './recharge.service.ts'
import { payFromSandbox } from './sandbox.service.ts'

export function registerRecharge(app: FastifyInstance, api: Api, deps: OrderReads): void {
  api.serve(listChannelsCall, ({ identity }) => listChannels(deps, identity.userId))
  api.serve(createOrderCall, ({ identity, body: { channel, amount, purchase }, key, overLimit, request }) =>
    createOrder(deps, {
      userId: identity.userId,
      channel,
      amount,
      purchase,
      key,
      overLimit,
      requestId: request.id,
    }),
  )
  api.serve(listOrdersCall, ({ identity, query }) => listOrders(deps, identity.userId, query))
  api.serve(getOrderCall, ({ identity, params }) =>
    getOrder(deps, { code: params.code, userId: identity.userId }),
  )
  api.serve(cancelOrderCall, ({ identity, params }) =>
    cancelOrder(deps, { code: params.code, userId: identity.userId }),
  )
  registerOrderEvents(app, api, deps)
  // What pays without money exists in a demo only; elsewhere the address is unknown.
  if (deps.sandbox === null) return
  api.serve(paySandbox, ({ identity, body }) => payFromSandbox(deps, { ...body, userId: identity.userId }))
}

/** One order as server-sent events. */
function registerOrderEvents(app: FastifyInstance, api: Api, deps: OrderReads): void {
  serveEvents(app, api, deps, {
    endpoint: watchOrder,
    channel: 'recharge_order',
    watchFor({ userId, request }) {
      const key = { code: validate(codeParams, request.params).code, userId }
      return { read: () => getOrder(deps, key), isAbout: (code) => code === key.code }
    },
    isFinal: ({ status, purchase }) => isFinal(status) && purchase?.state !== 'waiting',
  })
}
