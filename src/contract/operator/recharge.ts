import * as z from 'zod/mini'
import { paymentEventSchema } from './bank-transfers.ts'
import { endpoint } from '../endpoint.ts'
import { byId, idText, moment } from '../fields.ts'
import {
  amountFilter,
  beforeId,
  channelFilter,
  growingListQuery,
  idFilter,
  keyed,
  messageToPlayer,
  noteSchema,
  noteText,
  oneRow,
  onRow,
  person,
  reason,
  reasonBody,
  storable,
  usernameFilter,
} from './fields.ts'
import { codeParams, ORDER_STATUSES, orderSchema } from '../recharge.ts'
import { permitted } from './roles.ts'
import { part } from './users.ts'
import { claimSchema } from '../recharge-claims.ts'

export const ORDER_NOTE_MAX = 1_000

const codeFilter = z.string().check(z.trim(), z.toUpperCase(), z.maxLength(32), storable)

/** `id` is the code itself, since a console's lists need one. */
export const operatorOrderSchema = z.object({
  id: z.string(),
  code: z.string(),
  user: person,
  channel: z.number(),
  /** The amount in VND, and the promised TCoin per VND. */
  amount: z.number(),
  rate: z.number(),
  credited: z.number(),
  status: z.enum(ORDER_STATUSES),
  account_number: z.string(),
  created_at: moment,
  expires_at: moment,
  paid_at: z.nullable(moment),
})

const operatorOrderDetailSchema = z.object({
  ...operatorOrderSchema.shape,
  /** What it buys by itself, as the player sees it; null where it buys nothing. */
  purchase: orderSchema.shape.purchase,
  /** The checkout at a payment provider; null where the order is paid to our own account. */
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

/** The state of an order at the provider; `unanswered`: it did not answer. */
export const QUERY_STATES = ['paid', 'pending', 'failed', 'unknown', 'unanswered'] as const

export type OperatorOrder = z.output<typeof operatorOrderSchema>

export const operatorRechargeOrders = {
  list: endpoint('GET', '/operator/recharge-orders', permitted('recharge-orders.read'), {
    summary:
      'Recharge orders in the order they were placed. `id` and `code` are an order’s code, `user` is a username. At most 10,000 are counted.',
    query: growingListQuery(
      ['id', 'created_at'],
      {
        code: z.optional(codeFilter),
        status: z.optional(z.enum(ORDER_STATUSES)),
        channel: z.optional(channelFilter),
        user: z.optional(usernameFilter),
        amount: z.optional(amountFilter),
        /** Those that were promised a bonus by it. */
        promotion_id: z.optional(idFilter),
      },
      codeFilter,
    ),
    answer: z.array(operatorOrderSchema),
  }),
  get: endpoint('GET', '/operator/recharge-orders/{code}', permitted('recharge-orders.read'), {
    summary: 'One recharge order, what it buys by itself, and what a provider holds for it.',
    params: codeParams,
    answer: operatorOrderDetailSchema,
    errors: ['NOT_FOUND'],
  }),
  notes: endpoint('GET', '/operator/recharge-orders/{code}/notes', permitted('recharge-orders.read'), {
    summary: 'What operators noted about an order, the newest first. `before` continues.',
    params: codeParams,
    query: beforeId,
    answer: part(noteSchema),
    errors: ['NOT_FOUND'],
  }),
  addNote: endpoint('POST', '/operator/recharge-orders/{code}/notes', permitted('recharge-orders.note'), {
    // No answer: answers are stored for repeated keys, and the text is to stand in the note alone.
    summary: 'Adds a note about an order. Only operators read it.',
    params: codeParams,
    body: z.object({ note: noteText(ORDER_NOTE_MAX) }),
    ...keyed('NOT_FOUND'),
  }),
  query: endpoint('POST', '/operator/recharge-orders/{code}/query', permitted('bank-transfers.match'), {
    summary:
      'Asks the provider now how an order stands; a payment it names is taken in like a notification. At most every five seconds for one order.',
    params: codeParams,
    body: reasonBody,
    answer: z.object({
      provider: z.string(),
      /** Null when the key was used before: the order shows the result. */
      state: z.nullable(z.enum(QUERY_STATES)),
      /** Payments the provider names, and those of them that were not known. */
      payments: z.int(),
      found: z.int(),
    }),
    ...keyed('NOT_FOUND', 'CONFLICT'),
  }),
}

export const operatorClaimSchema = z.extend(claimSchema, {
  user_id: idText,
  username: z.string(),
  bank_transaction_id: z.nullable(idText),
})

/** An incoming transfer that the claim may be about. */
export const claimCandidateSchema = z.object({
  id: idText,
  amount: z.number(),
  booked_at: z.nullable(moment),
  bank_reference: z.nullable(z.string()),
  account_number: z.string(),
  state: z.string(),
  reason: z.nullable(z.string()),
  /** The player it was credited to or is reserved for, and the order. */
  user_id: z.nullable(idText),
  order_code: z.nullable(z.string()),
  is_same_amount: z.boolean(),
  is_same_reference: z.boolean(),
})

export const operatorClaimDetailSchema = z.extend(operatorClaimSchema, {
  candidates: z.array(claimCandidateSchema),
  /** Notifications without a transfer that may be about it, whatever became of them. */
  notices: z.array(paymentEventSchema),
})

const answerClaimBody = z.object({
  outcome: z.enum(['settled', 'rejected'], 'Kết quả phải là settled hoặc rejected'),
  /** The credited transfer it turned out to be. */
  bank_transaction_id: z.nullish(idText),
  /** What the player reads. */
  message: messageToPlayer,
  reason,
})

export type OperatorClaim = z.output<typeof operatorClaimSchema>
export type OperatorClaimDetail = z.output<typeof operatorClaimDetailSchema>
export type ClaimCandidate = z.output<typeof claimCandidateSchema>

export const CLAIM_READERS = permitted('bank-transfers.read')

export const CLAIM_PICTURE_PATH = '/operator/recharge-claims/{id}/picture'

export const operatorClaims = {
  get: endpoint('GET', '/operator/recharge-claims/{id}', CLAIM_READERS, {
    summary: 'One claim, with the transfers and the notifications without a transfer that it may be about.',
    ...oneRow(operatorClaimDetailSchema),
  }),
  picture: endpoint('GET', CLAIM_PICTURE_PATH, CLAIM_READERS, {
    summary: 'The picture that came with a claim.',
    params: byId,
    file: 'image/jpeg',
    errors: ['NOT_FOUND'],
  }),
  answer: endpoint('POST', '/operator/recharge-claims/{id}/answer', permitted('recharge-claims.answer'), {
    summary: 'Answers a claim. Credits nothing: crediting is an act on the transfer.',
    body: answerClaimBody,
    answer: operatorClaimSchema,
    ...onRow('CONFLICT'),
  }),
}
