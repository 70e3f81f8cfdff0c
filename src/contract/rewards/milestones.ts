import * as z from 'zod/mini'
import { goodSchema } from '../deliveries.ts'
import { endpoint } from '../endpoint.ts'
import { byId, moment } from '../fields.ts'
import { rewardAnswer, rewardBody } from './check-in.ts'
import { shownName } from '../shown-name.ts'

export const MILESTONE_STEPS_MAX = 31

const programSchema = z.object({
  id: z.string(),
  title: shownName,
  /** The terms as players read them. */
  sentence: z.string(),
  starts_at: moment,
  ends_at: moment,
  claims_until: moment,
  /** VND that the player recharged within the time, without those taken back; 0 for a visitor. */
  recharged: z.number(),
  /** By rising amount of VND; `left`: how many players may still take it. */
  steps: z.array(
    z.object({
      id: z.string(),
      at: z.number(),
      goods: z.array(goodSchema),
      claimed: z.boolean(),
      left: z.number(),
    }),
  ),
})

export type MilestoneProgram = z.output<typeof programSchema>
export type MilestoneStep = MilestoneProgram['steps'][number]

export const getMilestones = endpoint('GET', '/milestones', 'open', {
  summary:
    'The programme of the moment, with how far the player has come; null while there is none. A visitor sees the steps.',
  answer: z.nullable(programSchema),
})

export const claimMilestone = endpoint('POST', '/milestones/{id}/claim', 'user', {
  summary:
    'Takes the goods of a step that the player has reached, for a character, once. Goods that the game refused may be taken again.',
  params: byId,
  body: rewardBody,
  answer: rewardAnswer,
  isIdempotent: true,
  errors: [
    'NOT_FOUND',
    'ALREADY_CLAIMED',
    'MILESTONE_NOT_REACHED',
    'NOT_ACTIVATED',
    'BANNED',
    'CHARACTER_NOT_FOUND',
    'GOODS_UNAVAILABLE',
  ],
})
