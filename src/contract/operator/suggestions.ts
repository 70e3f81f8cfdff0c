import * as z from 'zod/mini'
import { idText, moment } from '../envelope.ts'
import { ORDER_STATUSES } from '../recharge.ts'
import { person } from './act-fields.ts'

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
  /** All that speaks for it, the strongest first; `text` says it in words. */
  reasons: z.array(z.object({ kind: z.enum(SUGGESTION_REASONS), text: z.string() })),
  /** How much the reasons say together. */
  strength: z.enum(['strong', 'fair', 'weak']),
  order: z.nullable(
    z.object({ code: z.string(), amount: z.number(), status: z.enum(ORDER_STATUSES), created_at: moment }),
  ),
  /** An open claim of the player about this amount. */
  claim_id: z.nullable(idText),
})

export type Suggestion = z.output<typeof suggestionSchema>
