import * as z from 'zod/mini'
import { DELIVERY_KINDS, goodSchema, WAITING_REASONS } from '../deliveries.ts'
import { endpoint } from '../endpoint.ts'
import { dayText, atLeast, atMost, idText, moment, required } from '../fields.ts'
import type { ErrorCode } from '../errors.ts'
import {
  growingListQuery,
  idFilter,
  keyed,
  person,
  severalAnswer,
  severalOf,
  storable,
  usernameFilter,
} from './fields.ts'
import { permitted } from './roles.ts'
import { shownName } from '../shown-name.ts'

export const DELIVERY_STATES = ['pending', 'sending', 'unknown', 'parked', 'delivered', 'refunded'] as const

export const operatorDeliverySchema = z.object({
  id: z.string(),
  kind: z.enum(DELIVERY_KINDS),
  user_id: idText,
  /** The username in lower case, as the game knows it. */
  account: z.string(),
  server_id: z.string(),
  character_id: z.string(),
  character_name: shownName,
  goods: z.array(goodSchema),
  amount: z.number(),
  state: z.enum(DELIVERY_STATES),
  attempt: z.int(),
  next_attempt_at: moment,
  last_error: z.nullable(z.string()),
  created_at: moment,
  settled_at: z.nullable(moment),
  /** Whether the game tells when the goods are with the character. */
  is_collection_told: z.boolean(),
  collected_at: z.nullable(moment),
  waiting: z.nullable(z.enum(WAITING_REASONS)),
  /** The delivery whose goods it gives again; null for all others. */
  replaces: z.nullable(z.string()),
  /** The delivery that gives its goods again, unless the game refused that. */
  replaced_by: z.nullable(z.string()),
})

/**
 * One question to the game. `not-applied`: it does not know the delivery so far. `not-received`: it surely never got the
 * question; `unknown`: no answer came, and it may have.
 */
export const deliveryAttemptSchema = z.object({
  id: idText,
  asked: z.enum(['status', 'deliver', 'cancel']),
  answer: z.enum(['applied', 'refused', 'conflict', 'cancelled', 'not-applied', 'not-received', 'unknown']),
  note: z.nullable(z.string()),
  took_ms: z.number(),
  asked_at: moment,
  /** Null when the delivery worker sent the request. */
  operator: z.nullable(person),
})

export const gameBridgeSchema = z.object({
  /** `open`: the game answered none of the last five attempts, and only one every ten seconds goes out. */
  breaker: z.enum(['closed', 'open']),
  /** When the game answered last, as far as attempts are stored. */
  last_answered_at: z.nullable(moment),
  /** How many deliveries are in each state that is not final. */
  queue: z.object({ pending: z.number(), sending: z.number(), unknown: z.number(), parked: z.number() }),
  /** When the oldest one that is still tried was bought. */
  oldest_at: z.nullable(moment),
  /** What collects in the game; null while the game tells nothing of it. */
  collector: z.nullable(
    z.object({
      /** Its last sign of life; null before the first. */
      seen_at: z.nullable(moment),
      /** When the game last said so. */
      read_at: moment,
      is_silent: z.boolean(),
    }),
  ),
  /** How many deliveries are applied and not collected; at most 10,000 are counted. */
  uncollected: z.number(),
  /** The servers for which something waits, the most first; of each kind at most 10,000 are counted, the oldest. */
  waiting_by_server: z.array(
    z.object({
      server_id: z.string(),
      server_name: shownName,
      /** Not yet with the game. */
      open: z.number(),
      /** Applied, and not with the character. */
      uncollected: z.number(),
    }),
  ),
})

/** Reason and evidence of an act, stored in the audit trail. */
const words = (max: number) => z.string(required).check(z.trim(), atLeast(3), atMost(max), storable)

const AGE_SECONDS_MAX = 10 * 366 * 86_400

export const deliveryId = z.uuid()
/** Of a server that may have been removed since. */
export const deliveryServerId = z.string().check(z.trim(), z.minLength(1), z.maxLength(64), storable)

const byId = z.object({ id: z.string().check(z.maxLength(64)) })
const onDelivery = (...errors: ErrorCode[]) => ({ params: byId, ...keyed('NOT_FOUND', ...errors) })
const reasonBody = z.object({ reason: words(500) })

export const operatorDeliveries = {
  list: endpoint('GET', '/operator/deliveries', permitted('deliveries.read'), {
    summary:
      'Deliveries in the order they were made. `open` leaves out what is delivered or refunded; `uncollected` are those that the game has applied and whose goods are not with the character, `waiting` those of them with this reason; `server_id` is what waits for this server: with neither of these two, what is open; `user` is a username, `batch` the deliveries of one act that gives goods again; `from` and `to` are days in Vietnam, of the purchase. At most 10,000 are counted.',
    query: growingListQuery(
      ['created_at'],
      {
        state: z.optional(z.enum(DELIVERY_STATES)),
        open: z.optional(z.literal(true)),
        uncollected: z.optional(z.literal(true)),
        waiting: z.optional(z.enum(WAITING_REASONS)),
        server_id: z.optional(deliveryServerId),
        user_id: z.optional(idFilter),
        batch: z.optional(idFilter),
        user: z.optional(usernameFilter),
        from: z.optional(dayText),
        to: z.optional(dayText),
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
  attempts: endpoint('GET', '/operator/deliveries/{id}/attempts', permitted('deliveries.read'), {
    summary:
      'What the game was asked about a delivery and what it said, the newest first. The latest 200 of 90 days.',
    params: byId,
    answer: z.array(deliveryAttemptSchema),
    errors: ['NOT_FOUND'],
  }),
  ask: endpoint('POST', '/operator/deliveries/{id}/ask', permitted('deliveries.resolve'), {
    summary: 'Asks the game what it knows of a delivery. Changes nothing about it.',
    body: reasonBody,
    answer: z.object({ known: z.enum(['applied', 'not-applied', 'cancelled']) }),
    ...onDelivery('UNAVAILABLE'),
  }),
  retryMany: endpoint('POST', '/operator/deliveries/retry', permitted('deliveries.resolve'), {
    summary:
      'Sends up to 50 parked deliveries on their way again, each by itself, and says what came of each.',
    body: z.object({ ids: severalOf(deliveryId), reason: words(500) }),
    answer: severalAnswer,
    ...keyed(),
  }),
  retry: endpoint('POST', '/operator/deliveries/{id}/retry', permitted('deliveries.resolve'), {
    summary: 'Sends a parked delivery on its way again, under the same id.',
    body: reasonBody,
    answer: operatorDeliverySchema,
    ...onDelivery('CONFLICT'),
  }),
  refund: endpoint('POST', '/operator/deliveries/{id}/refund', permitted('deliveries.resolve'), {
    summary:
      'Makes the game refuse it for good, then gives the TCoin back; settles it instead when the game says that it was too late.',
    body: reasonBody,
    answer: operatorDeliverySchema,
    ...onDelivery('UNAVAILABLE', 'STEP_UP_REQUIRED'),
  }),
  settle: endpoint('POST', '/operator/deliveries/{id}/settle', permitted('deliveries.resolve'), {
    summary:
      'Marks a parked delivery as delivered, with evidence, when the game too says that it was applied.',
    body: z.object({ reason: words(500), evidence: words(1_000) }),
    answer: operatorDeliverySchema,
    ...onDelivery('CONFLICT', 'UNAVAILABLE', 'STEP_UP_REQUIRED'),
  }),
}

export const gameBridgeCall = endpoint('GET', '/operator/game-bridge', permitted('deliveries.read'), {
  summary: 'Whether the game answers, and how many deliveries wait for it.',
  answer: gameBridgeSchema,
})

export type DeliveryAttempt = z.output<typeof deliveryAttemptSchema>
export type OperatorDelivery = z.output<typeof operatorDeliverySchema>
