import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { amountSchema, messageAnswer, moment, paged, pageQueryShape } from './fields.ts'
import { DELIVERY_STATUSES, NOT_BOUGHT_REASONS, PROMOTION_KINDS } from './constants.ts'
import { shownName } from './shown-name.ts'

const promotionShape = {
  title: shownName,
  /** The terms in words. */
  sentence: z.string(),
  ends_at: moment,
}

export const channelSchema = z.object({
  channel: z.number(),
  name: shownName,
  min: z.number(),
  max: z.number(),
  account_name: z.string(),
  /** What is added to a recharge by this channel, for this player now: the first of `promotions`. */
  promotion: z.nullable(z.object(promotionShape)),
  /** All that run; an order gets the one that gives it most. */
  promotions: z.array(
    z.object({
      ...promotionShape,
      terms: z.object({
        kind: z.enum(PROMOTION_KINDS),
        percent: z.nullable(z.number()),
        amount: z.nullable(z.number()),
        steps: z.nullable(z.array(z.object({ from: z.number(), amount: z.number() }))),
        minimum: z.number(),
      }),
      /** TCoin that are left to the player, and to everybody. */
      rest: z.object({ player: z.number(), total: z.number() }),
    }),
  ),
})

export const ORDER_STATUSES = [
  'pending',
  'paid',
  'paid_under',
  'paid_over',
  'expired',
  'cancelled',
  'review',
] as const

export const orderPurchaseSchema = z.object({
  kind: z.literal('exchange'),
  state: z.enum(['waiting', 'bought', 'not-bought']),
  /** Only where it was not bought. */
  reason: z.optional(z.enum(NOT_BOUGHT_REASONS)),
  character_id: z.string(),
  character_name: shownName,
  /** Luong, and the TCoin that they cost: what was promised, then what was bought, which may be more. */
  receive: z.number(),
  amount: z.number(),
  delivery: z.nullable(z.object({ id: z.string(), status: z.enum(DELIVERY_STATUSES) })),
})

export const orderSchema = z.object({
  code: z.string(),
  channel: z.number(),
  amount: z.number(),
  /** TCoin credited so far; 0 until money arrived. */
  credited: z.number(),
  status: z.enum(ORDER_STATUSES),
  /** The VietQR text and the same as an SVG picture; the picture is empty once the order is no longer open. */
  qr: z.string(),
  qr_svg: z.string(),
  bank_name: z.string(),
  account_number: z.string(),
  account_name: z.string(),
  memo: z.string(),
  /** TCoin besides those of the recharge: promised, then given. Null where nothing is. */
  bonus: z.nullable(
    z.object({
      title: shownName,
      amount: z.number(),
      is_given: z.boolean(),
      /** In words, besides that the order is paid in time; null where the TCoin are held for it, or given. */
      condition: z.nullable(z.string()),
    }),
  ),
  /** What is bought by itself when the money is credited. Null where nothing is. */
  purchase: z.nullable(orderPurchaseSchema),
  expires_at: moment,
  created_at: moment,
  /** Where the order can be paid in MoMo's app, while it is open and was made at MoMo. */
  pay_url: z.optional(z.string()),
  /** How long money has usually taken from its notice to the wallet these days, while that is known; only of an open order that is read by itself. */
  usual_seconds: z.optional(z.number()),
  /** The money received for it; only in the answer for a single order, not in lists. */
  payment: z.optional(
    z.object({
      /** VND. */
      amount: z.number(),
      /** The bank's, all but its end hidden. */
      bank_reference: z.nullable(z.string()),
      arrived_at: moment,
      /** Null while it is reviewed. */
      credited_at: z.nullable(moment),
    }),
  ),
})

export type OrderPurchase = z.output<typeof orderPurchaseSchema>
export type RechargeOrder = z.output<typeof orderSchema>
export type RechargeChannel = z.output<typeof channelSchema>

export const codeParams = z.object({ code: z.string().check(z.maxLength(32)) })

export const listChannels = endpoint('GET', '/recharge/channels', 'user', {
  summary: 'The payment channels that are set up.',
  answer: z.array(channelSchema),
})

const CHARACTER_MISSING = 'Vui lòng chọn nhân vật'

export const createOrderBody = z.object({
  channel: z.number('Vui lòng chọn kênh nạp').check(z.int('Vui lòng chọn kênh nạp')),
  /** VND. With a purchase it may be left out: then it is what the wallet lacks. */
  amount: z.optional(amountSchema),
  purchase: z.optional(
    z.object({
      kind: z.literal('exchange'),
      character_id: z.string(CHARACTER_MISSING).check(z.minLength(1, CHARACTER_MISSING), z.maxLength(64)),
      /** The luong that the player was shown, and the TCoin that they cost. */
      receive: amountSchema,
      expected_amount: amountSchema,
    }),
  ),
})

export const createOrder = endpoint('POST', '/recharge/orders', 'user', {
  summary:
    'Opens an order and its QR. At most 3 may be open at a time. With `purchase` its TCoin buy luong once credited, if `expected_amount` still brings at least `receive`; else they stay in the wallet.',
  body: createOrderBody,
  answer: orderSchema,
  status: 201,
  isIdempotent: true,
  errors: [
    'BANNED',
    'NOT_ACTIVATED',
    'PRICE_CHANGED',
    'CHARACTER_NOT_FOUND',
    'CONFLICT',
    'LIMIT_EXCEEDED',
    'UNAVAILABLE',
  ],
})

export const listOrders = endpoint('GET', '/recharge/orders', 'user', {
  summary: 'The orders of the player, the newest first.',
  query: z.object(pageQueryShape),
  answer: paged(orderSchema),
})

export const getOrder = endpoint('GET', '/recharge/orders/{code}', 'user', {
  summary: 'One order of the player.',
  params: codeParams,
  answer: orderSchema,
  errors: ['NOT_FOUND'],
})

export const cancelOrder = endpoint('POST', '/recharge/orders/{code}/cancel', 'user', {
  summary: 'Cancels a pending order.',
  params: codeParams,
  answer: orderSchema,
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const ORDER_EVENTS_PATH = '/recharge/orders/{code}/events'

export const watchOrder = endpoint('GET', ORDER_EVENTS_PATH, 'user', {
  summary: 'One order of the player, now and after each change, until it is final.',
  params: codeParams,
  answer: orderSchema,
  isStream: true,
  errors: ['NOT_FOUND'],
})

export const paySandboxBody = z.object({
  code: z.string().check(z.maxLength(32, 'Tối đa 32 ký tự')),
  /** VND; the amount of the order when absent. */
  amount: z.nullish(amountSchema),
})

/** Served in a demo only. */
export const paySandbox = endpoint('POST', '/sandbox/pay', 'user', {
  summary: 'Sends the notification of a transfer for an order of the player.',
  body: paySandboxBody,
  answer: messageAnswer,
})
