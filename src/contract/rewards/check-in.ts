import * as z from 'zod/mini'
import { deliveryStatusSchema, goodSchema } from '../deliveries.ts'
import { endpoint } from '../endpoint.ts'
import { envelopeShape } from '../fields.ts'

export const CHARACTER_MISSING = 'Vui lòng chọn nhân vật nhận quà'

/** Who gets the goods of a reward. */
export const rewardBody = z.object({
  character_id: z.string(CHARACTER_MISSING).check(z.minLength(1, CHARACTER_MISSING), z.maxLength(64)),
})

/** What taking a reward is answered with. */
export const rewardAnswer = z.object({
  ...envelopeShape,
  delivery: z.object({ id: z.string(), status: deliveryStatusSchema }),
})

const checkInSchema = z.object({
  /** Off: there is nothing to take. */
  is_open: z.boolean(),
  /** `2026-11`, in Vietnam. */
  month: z.string(),
  /** `2026-11-27`. */
  today: z.string(),
  /** The first day that the player could miss: of the account, or of the calendar if that was opened later. */
  since: z.string(),
  /** Every day of the month; a day that was missed stays missed. */
  days: z.array(z.object({ date: z.string(), goods: z.array(goodSchema), claimed: z.boolean() })),
})

export type CheckIn = z.output<typeof checkInSchema>

export const getCheckIn = endpoint('GET', '/check-in', 'user', {
  summary: 'The goods of each day of this month in Vietnam, and the days on which the player took them.',
  answer: checkInSchema,
})

export const checkIn = endpoint('POST', '/check-in', 'user', {
  summary:
    'Takes the goods of today in Vietnam for a character, once a day. Goods that the game refused may be taken again the same day.',
  body: rewardBody,
  answer: rewardAnswer,
  isIdempotent: true,
  errors: [
    'ALREADY_CHECKED_IN',
    'NOT_ACTIVATED',
    'BANNED',
    'CHARACTER_NOT_FOUND',
    'GOODS_UNAVAILABLE',
    'DISABLED',
  ],
})
