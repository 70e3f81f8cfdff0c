import * as z from 'zod/mini'
import { dayText, atMost, byId, filledText, idText, moment } from '../fields.ts'
import { ORDER_STATUSES } from '../recharge.ts'
import {
  actOnRow,
  amountFilter,
  channelFilter,
  growingListQuery,
  keyed,
  oneRow,
  person,
  reason,
  reasonBody,
  severalAnswer,
  severalOf,
  storable,
} from './fields.ts'
import { endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'
import { describedActSchema } from './audit-sentences/parts.ts'
import { type Permission, permitted } from './roles.ts'
import { gatewayRefundSchema, refundAtGatewayBody } from './gateway-refunds.ts'

/** Why a transfer may be a player's, the strongest first. */
const SUGGESTION_REASONS = [
  'code',
  'claim-reference',
  'near-code',
  'phone',
  'username',
  'payer',
  'claim',
  'amount',
  'within-hour',
] as const

export const suggestionSchema = z.object({
  user: person,
  /** The reasons for it, the strongest first, each with its text. */
  reasons: z.array(z.object({ kind: z.enum(SUGGESTION_REASONS), text: z.string() })),
  /** The weight of all reasons together. */
  strength: z.enum(['strong', 'fair', 'weak']),
  order: z.nullable(
    z.object({ code: z.string(), amount: z.number(), status: z.enum(ORDER_STATUSES), created_at: moment }),
  ),
  /** An open claim of the player about this amount. */
  claim_id: z.nullable(idText),
})

export type Suggestion = z.output<typeof suggestionSchema>

export const TRANSFER_STATES = ['review', 'credited', 'refunded', 'ignored'] as const

export const proposalSchema = z.object({
  id: idText,
  kind: z.literal('bank-transfer'),
  act: z.enum(['match', 'credit', 'reverse-credit', 'refund-at-gateway']),
  order_code: z.nullable(z.string()),
  /** Null only of a refund of money that is nobody's. */
  user: z.nullable(person),
  /** TCoin that would be given, or taken back; of a refund, what the limit counts. */
  coins: z.number(),
  /** VND that would go back by MoMo; null of what is no refund. */
  amount: z.nullable(z.number()),
  reason: z.string(),
  proposed_by: person,
  proposed_at: moment,
})

export const bankTransferSchema = z.object({
  id: idText,
  account_number: z.string(),
  /** The channel that has this account today; null when none has. */
  channel: z.nullable(z.number()),
  direction: z.enum(['in', 'out']),
  /** VND. */
  amount: z.number(),
  bank_ref: z.nullable(z.string()),
  booked_at: z.nullable(moment),
  created_at: moment,
  state: z.enum(TRANSFER_STATES),
  reason: z.nullable(z.string()),
  reason_text: z.nullable(z.string()),
  /** What the payer wrote; null once it was erased. */
  memo: z.nullable(z.string()),
  /** The provider that reported it. */
  providers: z.array(z.string()),
  order_code: z.nullable(z.string()),
  user: z.nullable(person),
  /** TCoin. */
  credited: z.number(),
  /** The incoming transfer that this outgoing one took back. */
  reversal_of: z.nullable(idText),
  /** The proposal that waits for a second person. */
  waiting: z.nullable(proposalSchema),
  /** The last refund at MoMo's gateway failed, and nothing else was decided about the money since. */
  has_failed_refund: z.boolean(),
})

const transferEventSchema = z.object({
  id: idText,
  provider: z.string(),
  provider_event_id: z.string(),
  signature: z.enum(['valid', 'stale', 'pulled']),
  status: z.string(),
  reason: z.nullable(z.string()),
  amount: z.number(),
  received_at: moment,
  memo: z.nullable(z.string()),
  full_text: z.nullable(z.string()),
})

export const bankTransferDetailSchema = z.extend(bankTransferSchema, {
  /** What reported this transfer, the oldest first. */
  events: z.array(transferEventSchema),
  /** Events with the same bank reference that report another transfer. */
  conflicting_events: z.array(transferEventSchema),
  acts: z.array(
    z.extend(describedActSchema, {
      act: z.string(),
      operator: person,
      reason: z.string(),
      details: z.unknown(),
      created_at: moment,
    }),
  ),
  /** The newest first. */
  refunds: z.array(gatewayRefundSchema),
  /** The most likely first; at most ten. */
  suggestions: z.array(suggestionSchema),
})

/**
 * The state of a transfer after an act. `waiting`: above the limit, so a second person decides; or, with a `refund`,
 * MoMo has not given its answer yet.
 */
export const actAnswerSchema = z.object({
  status: z.enum(['done', 'waiting']),
  id: idText,
  state: z.enum(TRANSFER_STATES),
  reason: z.nullable(z.string()),
  order_code: z.nullable(z.string()),
  user: z.nullable(person),
  credited: z.number(),
  /** The debt of the player that this act created, in TCoin. */
  lent: z.number(),
  proposal: z.nullable(proposalSchema),
  /** Only of a refund at the gateway. */
  refund: z.optional(gatewayRefundSchema),
})

/** What became of a payment event: `unreadable` is one that could not be read, whether it still waits or not. */
export const EVENT_STATUSES = [
  'new',
  'applied',
  'review',
  'duplicate',
  'stale',
  'ignored',
  'unreadable',
] as const

const eventStatus = z.enum(EVENT_STATUSES)

export const paymentEventSchema = z.object({
  id: idText,
  provider: z.string(),
  provider_event_id: z.string(),
  signature: z.enum(['valid', 'stale', 'pulled']),
  status: eventStatus,
  /** Whether it still waits for an operator. */
  is_open: z.boolean(),
  reason: z.nullable(z.string()),
  reason_text: z.nullable(z.string()),
  direction: z.enum(['in', 'out']),
  amount: z.number(),
  account_number: z.string(),
  /** The number on that account which the payer was shown, where the bank has such. */
  virtual_account: z.nullable(z.string()),
  bank_ref: z.nullable(z.string()),
  booked_at: z.nullable(moment),
  received_at: moment,
  memo: z.nullable(z.string()),
  /** The transfer whose reference it has, when there is one. */
  bank_transfer_id: z.nullable(idText),
})

export const paymentEventDetailSchema = z.extend(paymentEventSchema, {
  full_text: z.nullable(z.string()),
  /** Where it came from, as far as the provider says. */
  payer_account: z.nullable(z.string()),
  /** As it came; null once it was erased. */
  raw: z.nullable(z.string()),
  /** Whom it may have been meant for; none of one that has its transfer. */
  suggestions: z.array(suggestionSchema),
})

/** The player's claim about this money: it is settled with the credit, unless a second person has to agree first. */
const claimId = z.nullish(idText)

export const matchBody = z.object({
  order_code: filledText(z.maxLength(32), storable),
  claim_id: claimId,
  reason,
})
/** The player, by either of the two. */
export const creditBody = z.object({
  username: z.nullish(z.string().check(z.maxLength(20), storable)),
  user_id: z.nullish(idText),
  claim_id: claimId,
  reason,
})
export const refundBody = z.object({
  outgoing_reference: filledText(atMost(100), storable),
  refunded_on: dayText,
  reason,
})
export const linkReversalBody = z.object({ original_id: idText, reason })

type ActOptions<Body extends z.ZodMiniType> = {
  body: Body
  summary: string
  permission?: Permission
  errors?: readonly ErrorCode[]
  mayWait?: boolean
}

const actOn = <Body extends z.ZodMiniType>(
  path: string,
  { body, summary, permission = 'bank-transfers.match', errors = [], mayWait = false }: ActOptions<Body>,
) =>
  endpoint('POST', path, permitted(permission), {
    summary,
    params: byId,
    body,
    answer: actAnswerSchema,
    isIdempotent: true,
    mayWait,
    errors: ['NOT_FOUND', 'CONFLICT', 'IN_PROGRESS', ...errors],
  })

const proved = { errors: ['STEP_UP_REQUIRED'] } as const

/** Above the limit of manual credits an act waits for a second person. */
const aboveLimit = { ...proved, mayWait: true } as const

export const operatorBankTransfers = {
  list: endpoint('GET', '/operator/bank-transfers', permitted('bank-transfers.read'), {
    summary:
      'Everything that moved on the receiving accounts, in the order of arrival. Those in review unless a state, an id, a search or `waiting` is asked for. `q` is an order code, a bank reference or a username, each exactly; `from` and `to` are moments or days in Vietnam. At most 10,000 are counted.',
    query: growingListQuery(['created_at', 'id'], {
      state: z.optional(z.enum([...TRANSFER_STATES, 'all'])),
      reason: z.optional(z.string().check(z.regex(/^[a-z0-9_-]{1,64}$/))),
      direction: z.optional(z.enum(['in', 'out'])),
      channel: z.optional(channelFilter),
      account: z.optional(z.string().check(z.regex(/^[0-9A-Za-z]{1,40}$/))),
      amount: z.optional(amountFilter),
      from: z.optional(z.string().check(z.maxLength(40))),
      to: z.optional(z.string().check(z.maxLength(40))),
      q: z.optional(z.string().check(z.trim(), z.maxLength(100), storable)),
      waiting: z.optional(z.literal(true)),
    }),
    answer: z.array(bankTransferSchema),
  }),
  get: endpoint('GET', '/operator/bank-transfers/{id}', permitted('bank-transfers.read'), {
    summary: 'One transfer with what told of it, what was done with it, and whom it may have been meant for.',
    ...oneRow(bankTransferDetailSchema),
  }),
  match: actOn('/operator/bank-transfers/{id}/match', {
    body: matchBody,
    ...aboveLimit,
    summary: 'Credits what arrived to the player of an order, at its rate.',
  }),
  credit: actOn('/operator/bank-transfers/{id}/credit', {
    body: creditBody,
    ...aboveLimit,
    summary: 'Credits what arrived to a player, at the rate of today.',
  }),
  refund: actOn('/operator/bank-transfers/{id}/refund', {
    body: refundBody,
    ...proved,
    summary: 'Notes that the money was sent back by hand.',
  }),
  refundAtGateway: actOn('/operator/bank-transfers/{id}/refund-at-gateway', {
    body: refundAtGatewayBody,
    mayWait: true,
    summary:
      'Sends money that came by MoMo back by MoMo, all that is left or a part. Above the limit it waits for a second person, and MoMo is asked after the approval. `waiting` without a proposal: MoMo has not said yet, and is asked until it does.',
    errors: ['DISABLED', 'STEP_UP_REQUIRED'],
  }),
  ignore: actOn('/operator/bank-transfers/{id}/ignore', {
    body: reasonBody,
    summary: 'Notes that nothing is to be done.',
  }),
  linkReversal: actOn('/operator/bank-transfers/{id}/link-reversal', {
    body: linkReversalBody,
    ...proved,
    summary: 'Says which transfer an outgoing one took back; its credit is taken back too.',
  }),
  reverseCredit: actOn('/operator/bank-transfers/{id}/reverse-credit', {
    body: reasonBody,
    ...aboveLimit,
    summary: 'Takes a wrong credit back; the transfer is in review again.',
    permission: 'wallet.adjust',
  }),
  approve: actOn('/operator/bank-transfers/{id}/approve', {
    body: reasonBody,
    summary: 'Does what another operator proposed. Takes a fresh step-up.',
    errors: ['DISABLED', 'STEP_UP_REQUIRED'],
  }),
  reject: actOn('/operator/bank-transfers/{id}/reject', {
    body: reasonBody,
    summary: 'Drops what another operator proposed. Takes a fresh step-up.',
    errors: ['STEP_UP_REQUIRED'],
  }),
  withdraw: actOn('/operator/bank-transfers/{id}/withdraw', {
    body: reasonBody,
    summary: 'Drops what the operator proposed themselves.',
  }),
}

export const operatorPaymentEvents = {
  list: endpoint('GET', '/operator/payment-events', permitted('bank-transfers.read'), {
    summary:
      'Every payment event, whatever became of it; with `waiting` those that wait for an operator and have no bank transfer in review. `q` finds them by bank reference, memo, amount, provider’s id and either account number. At most 10,000 are counted.',
    query: growingListQuery(['id', 'received_at'], {
      state: z.optional(eventStatus),
      /** The same as `state`. */
      status: z.optional(eventStatus),
      waiting: z.optional(z.boolean()),
      amount: z.optional(amountFilter),
      account: z.optional(z.string().check(z.trim(), z.maxLength(64), storable)),
      q: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(100), storable)),
    }),
    answer: z.array(paymentEventSchema),
  }),
  get: endpoint('GET', '/operator/payment-events/{id}', permitted('bank-transfers.read'), {
    summary:
      'One payment event as it came, whether or not it still waits for an operator, and whom it may be for.',
    ...oneRow(paymentEventDetailSchema),
  }),
  accept: actOn('/operator/payment-events/{id}/accept', {
    body: reasonBody,
    ...proved,
    summary: 'Takes a notification for true: its transfer comes into review.',
  }),
  dismiss: endpoint('POST', '/operator/payment-events/{id}/dismiss', permitted('bank-transfers.match'), {
    summary: 'Puts a notification aside for good.',
    ...actOnRow(z.object({ id: idText, status: z.string() }), 'CONFLICT'),
  }),
}

export const settleDebtCall = endpoint(
  'POST',
  '/operator/users/{id}/settle-debt',
  permitted('bank-transfers.match'),
  {
    summary: 'Pays what a player owes from what their wallet holds.',
    ...actOnRow(z.object({ paid: z.number(), owed: z.number() }), 'CONFLICT', 'STEP_UP_REQUIRED'),
  },
)

export type BankTransfer = z.output<typeof bankTransferSchema>
export type BankTransferDetail = z.output<typeof bankTransferDetailSchema>
export type ActAnswer = z.output<typeof actAnswerSchema>
export type PaymentEventDetail = z.output<typeof paymentEventDetailSchema>
export type PaymentEvent = z.output<typeof paymentEventSchema>
export type TransferState = (typeof TRANSFER_STATES)[number]

/** Calls about several bank transfers of the inbox at once. */
export const severalBankTransfers = {
  /** For the dialog of `matchMany`. */
  suggestedOrders: endpoint(
    'GET',
    '/operator/bank-transfers/suggested-orders',
    permitted('bank-transfers.match'),
    {
      summary:
        'Of each of up to 50 bank transfers the most likely unpaid order; null when none is suggested, or the transfer is decided.',
      query: z.object({
        ids: z
          .string()
          .check(
            z.regex(
              /^[1-9]\d{0,17}(,[1-9]\d{0,17}){0,49}$/,
              'Cần từ 1 đến 50 mã số, cách nhau bằng dấu phẩy',
            ),
          ),
      }),
      answer: z.array(z.object({ transfer: bankTransferSchema, suggestion: z.nullable(suggestionSchema) })),
    },
  ),
  matchMany: endpoint('POST', '/operator/bank-transfers/match', permitted('bank-transfers.match'), {
    summary:
      'Credits up to 50 bank transfers, each to the player of the order named with it, each by itself, and says what came of each. What is above the limit waits for a second person.',
    body: z.object({
      matches: severalOf(z.omit(z.extend(matchBody, { id: idText }), { reason: true })),
      reason,
    }),
    answer: severalAnswer,
    mayWait: true,
    ...keyed('STEP_UP_REQUIRED'),
  }),
}
