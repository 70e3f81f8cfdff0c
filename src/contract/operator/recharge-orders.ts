import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment } from '../envelope.ts'
import { beforeId, channelFilter, noteSchema, noteText, person, reason, storable } from './act-fields.ts'
import { ORDER_STATUSES } from '../recharge.ts'
import { amountFilter, growingListQuery, oneOrMany } from './list.ts'
import { permitted } from './roles.ts'
import { part } from './users.ts'

export const ORDER_NOTE_MAX = 1_000

const codeFilter = z.string().check(z.trim(), z.toUpperCase(), z.maxLength(32), storable)

/** `id` is the code itself, since a console's lists want one. */
export const operatorOrderSchema = z.object({
  id: z.string(),
  code: z.string(),
  user: person,
  channel: z.number(),
  /** VND asked for, and TCoin per VND as promised. */
  amount: z.number(),
  rate: z.number(),
  credited: z.number(),
  status: z.enum(ORDER_STATUSES),
  account_number: z.string(),
  created_at: moment,
  expires_at: moment,
  paid_at: z.nullable(moment),
})

/** What a provider holds for the order; null where it is paid to our own account and nobody can be asked about it. */
const operatorOrderDetailSchema = z.object({
  ...operatorOrderSchema.shape,
  checkout: z.nullable(
    z.object({
      provider: z.string(),
      /** `asked`: whether the order exists there is not known. `done`, `failed`: nothing more is expected. */
      state: z.enum(['asked', 'open', 'failed', 'done']),
      last_query_at: z.nullable(moment),
    }),
  ),
})

export type OperatorOrderDetail = z.output<typeof operatorOrderDetailSchema>

/** How a provider says that an order stands; `unanswered`: it did not say. */
export const QUERY_STATES = ['paid', 'pending', 'failed', 'unknown', 'unanswered'] as const

export type OperatorOrder = z.output<typeof operatorOrderSchema>

const CODE = z.object({ code: z.string().check(z.maxLength(32)) })

export const operatorRechargeOrders = {
  list: endpoint('GET', '/operator/recharge-orders', permitted('recharge-orders.read'), {
    summary:
      'Recharge orders in the order they were placed. `id` and `code` are an order’s code, `user` is a username. At most 10,000 are counted.',
    query: growingListQuery(
      ['id', 'created_at'],
      {
        id: z.optional(oneOrMany(codeFilter)),
        code: z.optional(codeFilter),
        status: z.optional(z.enum(ORDER_STATUSES)),
        channel: z.optional(channelFilter),
        user: z.optional(z.string().check(z.trim(), z.maxLength(20), storable)),
        amount: z.optional(amountFilter),
      },
      codeFilter,
    ),
    answer: z.array(operatorOrderSchema),
  }),
  get: endpoint('GET', '/operator/recharge-orders/{code}', permitted('recharge-orders.read'), {
    summary: 'One recharge order, and what a provider holds for it.',
    params: CODE,
    answer: operatorOrderDetailSchema,
    errors: ['NOT_FOUND'],
  }),
  notes: endpoint('GET', '/operator/recharge-orders/{code}/notes', permitted('recharge-orders.read'), {
    summary: 'What operators noted about an order, the newest first. `before` continues.',
    params: CODE,
    query: beforeId,
    answer: part(noteSchema),
    errors: ['NOT_FOUND'],
  }),
  addNote: endpoint('POST', '/operator/recharge-orders/{code}/notes', permitted('recharge-orders.note'), {
    // No answer: answers are stored for repeated keys, and the text is to stand in the note alone.
    summary: 'Adds a note about an order. Only operators read it.',
    params: CODE,
    body: z.object({ note: noteText(ORDER_NOTE_MAX) }),
    isIdempotent: true,
    errors: ['NOT_FOUND', 'KEY_REUSED', 'IN_PROGRESS'],
  }),
  query: endpoint('POST', '/operator/recharge-orders/{code}/query', permitted('bank-transfers.match'), {
    summary:
      'Asks the provider now how an order stands; a payment it names is taken in like a notification. At most every five seconds for one order.',
    params: CODE,
    body: z.object({ reason }),
    answer: z.object({
      provider: z.string(),
      /** Null when the same key had asked before: the order shows what came of it. */
      state: z.nullable(z.enum(QUERY_STATES)),
      /** Payments the provider names, and those of them that were not known. */
      payments: z.int(),
      found: z.int(),
    }),
    isIdempotent: true,
    errors: ['NOT_FOUND', 'CONFLICT', 'KEY_REUSED', 'IN_PROGRESS'],
  }),
}
