import * as z from 'zod/mini'
import { goodSchema } from '../deliveries.ts'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../envelope.ts'
import { PURCHASE_KINDS } from '../purchases.ts'
import { growingListQuery, idFilter, oneOrMany } from './list.ts'
import { permitted } from './roles.ts'

/** The state of a delivery. */
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

/** Why an operator does it, kept in the audit trail. */
const words = (max: number) =>
  z.string('Không được bỏ trống').check(
    z.trim(),
    z.minLength(3, 'Tối thiểu 3 kí tự'),
    z.maxLength(max, `Tối đa ${max} kí tự`),
    z.refine((text) => !text.includes('\u0000') && text.isWellFormed(), 'Có kí tự không hợp lệ'),
  )

const AGE_SECONDS_MAX = 10 * 366 * 86_400

const deliveryId = z.uuid()

const byId = z.object({ id: z.string().check(z.maxLength(64)) })
const reasonBody = z.object({ reason: words(500) })

/** What is open, parked or of one player; the oldest first unless asked otherwise. */
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
