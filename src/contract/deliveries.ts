import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { moment, paged, pageQueryShape } from './envelope.ts'

/** What a player sees of a delivery; the worker's finer states are all `pending` to them. */
export const deliveryStatusSchema = z.enum(['pending', 'delivered', 'refunded'])

export const goodSchema = z.object({
  kind: z.enum(['luong', 'yen', 'item']),
  code: z.optional(z.string()),
  quantity: z.number(),
  days: z.optional(z.number()),
})

export const deliverySchema = z.object({
  id: z.string(),
  kind: z.enum(['exchange', 'gift']),
  character_name: z.string(),
  goods: z.array(goodSchema),
  amount: z.number(),
  status: deliveryStatusSchema,
  created_at: moment,
  settled_at: z.nullable(moment),
})

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/user/deliveries',
  access: 'user',
  summary: 'What the player bought and where each purchase stands, the newest first.',
  query: z.object(pageQueryShape),
  answer: paged(deliverySchema),
})

export type Delivery = z.output<typeof deliverySchema>
export type DeliveryStatus = z.output<typeof deliveryStatusSchema>
export type Good = z.output<typeof goodSchema>
