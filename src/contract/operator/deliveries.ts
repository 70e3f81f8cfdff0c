import * as z from 'zod/mini'
import { goodSchema } from '../deliveries.ts'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../envelope.ts'
import { atLeast, atMost, required } from '../fields.ts'
import { PURCHASE_KINDS } from '../purchases.ts'
import { storable } from './act-fields.ts'
import { growingListQuery, idFilter, oneOrMany } from './list.ts'
import { permitted } from './roles.ts'

export const DELIVERY_STATES = ['pending', 'sending', 'unknown', 'parked', 'delivered', 'refunded'] as const

export const operatorDeliverySchema = z.object({
  id: z.string(),
  kind: z.enum(PURCHASE_KINDS),
  user_id: idText,
  /** The username in lower case, as the game knows it. */
  account: z.string(),
  server_id: z.string(),
  character_id: z.string(),
  character_name: z.string(),
  goods: z.array(goodSchema),
  amount: z.number(),
  state: z.enum(DELIVERY_STATES),
  attempt: z.int(),
  next_attempt_at: moment,
  last_error: z.nullable(z.string()),
  created_at: moment,
  settled_at: z.nullable(moment),
})

/** Reason and evidence of an act, kept in the audit trail. */
const words = (max: number) => z.string(required).check(z.trim(), atLeast(3), atMost(max), storable)

const AGE_SECONDS_MAX = 10 * 366 * 86_400

const deliveryId = z.uuid()

const byId = z.object({ id: z.string().check(z.maxLength(64)) })
const reasonBody = z.object({ reason: words(500) })

export const operatorDeliveries = {
  list: endpoint('GET', '/operator/deliveries', permitted('deliveries.read'), {
    summary:
      'Deliveries in the order they were made. `open` leaves out what is delivered or refunded. At most 10,000 are counted.',
    query: growingListQuery(
      ['created_at'],
      {
        id: z.optional(oneOrMany(deliveryId)),
        state: z.optional(z.enum(DELIVERY_STATES)),
        open: z.optional(z.literal(true)),
        user_id: z.optional(idFilter),
        older_than_seconds: z.optional(z.number().check(z.gte(0), z.lte(AGE_SECONDS_MAX))),
      },
      deliveryId,
    ),
    answer: z.array(operatorDeliverySchema),
  }),
  get: endpoint('GET', '/operator/deliveries/{id}', permitted('deliveries.read'), {
    summary: 'One delivery.',
    params: byId,
    answer: operatorDeliverySchema,
    errors: ['NOT_FOUND'],
  }),
  retry: endpoint('POST', '/operator/deliveries/{id}/retry', permitted('deliveries.resolve'), {
    summary: 'Sends a parked delivery on its way again, under the same id.',
    params: byId,
    body: reasonBody,
    answer: operatorDeliverySchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  refund: endpoint('POST', '/operator/deliveries/{id}/refund', permitted('deliveries.resolve'), {
    summary:
      'Makes the game refuse it for good, then gives the TCoin back; settles it instead when the game says that it was too late.',
    params: byId,
    body: reasonBody,
    answer: operatorDeliverySchema,
    errors: ['NOT_FOUND', 'UNAVAILABLE'],
  }),
  settle: endpoint('POST', '/operator/deliveries/{id}/settle', permitted('deliveries.resolve'), {
    summary:
      'Marks a parked delivery as delivered, with evidence, when the game too says that it was applied.',
    params: byId,
    body: z.object({ reason: words(500), evidence: words(1_000) }),
    answer: operatorDeliverySchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
  }),
}

export type OperatorDelivery = z.output<typeof operatorDeliverySchema>
