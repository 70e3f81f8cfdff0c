import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { idText, moment } from '../../fields.ts'
import { actOnRow, growingListQuery, idFilter, person } from '../fields.ts'
import { permitted } from '../roles.ts'

export const INVITATION_STATES = ['waiting', 'granted', 'review', 'refused'] as const

/**
 * Why an invitation is in review: what both players, or two whom one invited, have in common, or an empty budget. Or why it was
 * refused: invitations were off, the month was full, one of the accounts is gone or never became active, an operator said so.
 */
export const INVITATION_REASONS = [
  'device',
  'address',
  'bank-account',
  'character',
  'banned',
  'budget',
  'off',
  'month-full',
  'erased',
  'not-activated',
  'operator',
] as const

export type InvitationReason = (typeof INVITATION_REASONS)[number]

export const invitationRewardSchema = z.object({
  /** Of the invited player. */
  id: idText,
  invited: person,
  inviter: person,
  state: z.enum(INVITATION_STATES),
  reasons: z.array(z.enum(INVITATION_REASONS)),
  /** What they were given. */
  inviter_coins: z.nullable(z.number()),
  invited_coins: z.nullable(z.number()),
  created_at: moment,
  /** When it is decided about; null while that depends on the player. */
  due_at: z.nullable(moment),
  decided_at: z.nullable(moment),
  /** Null where no operator decided. */
  decided_by: z.nullable(person),
})

export type InvitationReward = z.output<typeof invitationRewardSchema>

export const operatorInvitations = {
  list: endpoint('GET', '/operator/invitation-rewards', permitted('ledger.read'), {
    summary:
      'Invited players who have recharged, and what came of it. Those in `review` wait for an operator. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      state: z.optional(z.enum(INVITATION_STATES)),
      inviter_id: z.optional(idFilter),
    }),
    answer: z.array(invitationRewardSchema),
  }),
  grant: endpoint('POST', '/operator/invitation-rewards/{id}/grant', permitted('wallet.adjust'), {
    summary:
      'Gives both players what the settings say, out of the budget, within what the inviter may have in a month. Only of one in review, whose recharge still stands. Takes a fresh step-up.',
    ...actOnRow(invitationRewardSchema, 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  refuse: endpoint('POST', '/operator/invitation-rewards/{id}/refuse', permitted('wallet.adjust'), {
    summary: 'Gives nobody anything, for good. Only of one in review.',
    ...actOnRow(invitationRewardSchema, 'CONFLICT'),
  }),
}
