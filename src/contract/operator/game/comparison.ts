import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { idText, moment } from '../../fields.ts'
import { deliveryId, deliveryServerId, operatorDeliverySchema } from '../deliveries.ts'
import { chosenMoment, growingListQuery, idFilter, keyed, person, reason } from '../fields.ts'
import { operatorProposalSchema } from '../proposals.ts'
import { permitted } from '../roles.ts'

/** How many deliveries one act gives again. */
export const GIVEN_AGAIN_MAX = 500

/** A comparison ends when it has found so many: the game is not the one that had them. */
export const MISSING_MAX = 50_000

/** `failed`: the game did not answer. `too-many`: it ended at so many missing ones that the game must be another one. */
export const COMPARISON_STATES = ['running', 'done', 'failed', 'too-many'] as const

const comparisonSchema = z.object({
  id: idText,
  state: z.enum(COMPARISON_STATES),
  /** Null: it was started on the command line. */
  by: z.nullable(person),
  started_at: moment,
  finished_at: z.nullable(moment),
  /** Null: of every server. */
  server_id: z.nullable(z.string()),
  /** What was bought from then on, and before then. */
  since: moment,
  until: moment,
  /** Up to which purchase it came. */
  reached_at: z.nullable(moment),
  /** Deliveries that the game was asked about, and those of them that it does not know. */
  asked: z.int(),
  missing: z.int(),
})

export type Comparison = z.output<typeof comparisonSchema>

const answer = z.object({ comparison: z.nullable(comparisonSchema) })

export const operatorGameComparison = {
  get: endpoint('GET', '/operator/game-comparison', permitted('deliveries.read'), {
    summary: 'The latest comparison of delivered goods with what the game knows, or the one that runs.',
    answer,
  }),
  start: endpoint('POST', '/operator/game-comparison', permitted('deliveries.resolve'), {
    summary:
      'Has a worker ask the game about everything that was delivered and bought between two moments (the last 30 days until now, when left out), for one server or for all; one comparison at a time. Answers at once.',
    body: z.object({
      reason,
      server_id: z.optional(z.nullable(deliveryServerId)),
      since: z.optional(z.nullable(chosenMoment)),
      until: z.optional(z.nullable(chosenMoment)),
    }),
    answer,
    ...keyed('CONFLICT'),
  }),
}

export const operatorMissingDeliveries = {
  list: endpoint('GET', '/operator/missing-deliveries', permitted('deliveries.read'), {
    summary:
      'What a comparison found missing in the game, in the order of purchase; of the latest comparison, when none is named. At most 10,000 are counted.',
    query: growingListQuery(
      ['created_at'],
      {
        comparison: z.optional(idFilter),
        server_id: z.optional(deliveryServerId),
      },
      deliveryId,
    ),
    answer: z.array(operatorDeliverySchema),
  }),
  giveAgain: endpoint('POST', '/operator/missing-deliveries/give-again', permitted('deliveries.resolve'), {
    summary:
      'Gives goods again that a comparison found missing: those of `ids`, or else the first 500 by time, of one server or of all. A second person approves it; each becomes a new delivery for no TCoin. None is given again twice.',
    body: z.object({
      comparison: idText,
      ids: z.optional(
        z
          .array(deliveryId)
          .check(
            z.minLength(1, 'Hãy chọn ít nhất một dòng'),
            z.maxLength(GIVEN_AGAIN_MAX, `Mỗi lần tối đa ${GIVEN_AGAIN_MAX} dòng`),
          ),
      ),
      server_id: z.optional(z.nullable(deliveryServerId)),
      reason,
    }),
    /** Without a second person they are given at once, and there is no proposal. */
    answer: z.object({ deliveries: z.int(), proposal: z.nullable(operatorProposalSchema) }),
    mayWait: true,
    ...keyed('NOT_FOUND', 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
}
