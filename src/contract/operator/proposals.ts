import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { byId, idText, moment } from '../envelope.ts'
import { person, reason } from './act-fields.ts'
import { growingListQuery, idFilter, oneOrMany } from './list.ts'
import { permitted, type Permission } from './roles.ts'

/**
 * `effective`: there was no second operator to decide, and it took effect after the delay. `outdated`: what it was to change has
 * changed otherwise, or anyone who proposed it may no longer do so.
 */
export const PROPOSAL_STATES = [
  'waiting',
  'approved',
  'rejected',
  'withdrawn',
  'effective',
  'outdated',
] as const

/** What may be proposed, and the permission it takes to propose and to decide it. */
export const PROPOSAL_PERMISSIONS = {
  setting: 'settings.money',
  adjustment: 'wallet.adjust',
  'second-factor': 'users.second-factor',
  'bank-transfer': 'bank-transfers.match',
} as const satisfies Record<string, Permission>

export type ProposalKind = keyof typeof PROPOSAL_PERMISSIONS

export const PROPOSAL_KINDS = Object.keys(PROPOSAL_PERMISSIONS) as [ProposalKind, ...ProposalKind[]]

/** What somebody with these permissions may propose and decide. */
export const proposalKindsOf = (permissions: readonly string[]): ProposalKind[] =>
  PROPOSAL_KINDS.filter((kind) => permissions.includes(PROPOSAL_PERMISSIONS[kind]))

/** A change proposed by one operator and not made yet. */
export const operatorProposalSchema = z.object({
  id: idText,
  kind: z.enum(PROPOSAL_KINDS),
  /** What it is about: the key of a setting, or the id of a player or of a bank transfer. */
  subject: z.string(),
  /** The username of that player, or of the one who would get the transfer's TCoin. */
  subject_name: z.nullable(z.string()),
  /** Values of a setting; TCoin of an adjustment or a bank transfer, as `after`, signed. */
  payload: z.object({ before: z.string(), after: z.string() }),
  reason: z.string(),
  proposed_by: person,
  proposed_at: moment,
  /** When it takes effect by itself; null when a second person has to approve. */
  takes_effect_at: z.nullable(moment),
  state: z.enum(PROPOSAL_STATES),
  decided_by: z.nullable(person),
  decided_at: z.nullable(moment),
  decision_reason: z.nullable(z.string()),
})

export type OperatorProposal = z.output<typeof operatorProposalSchema>

const DECIDERS = permitted(Object.values(PROPOSAL_PERMISSIONS))
const body = z.object({ reason })

const decision = (act: 'approve' | 'reject' | 'withdraw', summary: string) =>
  endpoint('POST', `/operator/proposals/{id}/${act}`, DECIDERS, {
    summary,
    params: byId,
    body,
    answer: operatorProposalSchema,
    isIdempotent: true,
    errors: ['NOT_FOUND', 'CONFLICT', 'STEP_UP_REQUIRED', 'KEY_REUSED', 'IN_PROGRESS'],
  })

export const operatorProposals = {
  list: endpoint('GET', '/operator/proposals', DECIDERS, {
    summary:
      'What operators proposed and the caller may decide, the newest first. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      id: z.optional(oneOrMany(idFilter)),
      state: z.optional(z.enum(PROPOSAL_STATES)),
    }),
    answer: z.array(operatorProposalSchema),
  }),
  approve: decision('approve', 'Agrees to what somebody else proposed: it is done. Takes a fresh step-up.'),
  reject: decision('reject', 'Refuses what somebody else proposed. Takes a fresh step-up.'),
  withdraw: decision('withdraw', 'Takes back what one proposed oneself.'),
}
