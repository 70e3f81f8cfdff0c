import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../fields.ts'
import { actOnRow, growingListQuery, person } from './fields.ts'
import { proposalTermsSchema } from './proposal-terms.ts'
import { type Permission, permitted, type Role, ROLE_PERMISSIONS, ROLES } from './roles.ts'
import { shownName } from '../shown-name.ts'

/**
 * `effective`: nobody who counts as another person refused it within the delay. `outdated`: what it was to change has
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
  'planned-price': 'settings.money',
  adjustment: 'wallet.adjust',
  'second-factor': 'users.second-factor',
  'account-return': 'users.return',
  'bank-transfer': 'bank-transfers.match',
  roles: 'staff.manage',
  invite: 'staff.manage',
  'give-again': 'deliveries.resolve',
  budget: 'settings.money',
  promotion: 'settings.money',
  milestones: 'settings.money',
  'gift-codes': 'settings.money',
} as const satisfies Record<string, Permission>

export type ProposalKind = keyof typeof PROPOSAL_PERMISSIONS

/**
 * Whom a proposal concerns. What concerns the house or its staff takes effect when everybody who counts as another person has
 * agreed, or `OBJECTION_HOURS` after it was proposed when one of them has and nobody refused. A player does not wait so long:
 * there one other person is enough. `by-account`: the house where the account is of the staff, or was in the last days.
 */
export const PROPOSAL_REACH = {
  setting: 'house',
  'planned-price': 'house',
  adjustment: 'player',
  'second-factor': 'by-account',
  'account-return': 'player',
  'bank-transfer': 'player',
  roles: 'house',
  invite: 'house',
  'give-again': 'player',
  budget: 'house',
  promotion: 'house',
  milestones: 'house',
  'gift-codes': 'house',
} as const satisfies Record<ProposalKind, 'house' | 'player' | 'by-account'>

/** Hours in which whoever counts can refuse what was proposed, before it takes effect without them. */
export const OBJECTION_HOURS = 24

export const PROPOSAL_KINDS = Object.keys(PROPOSAL_PERMISSIONS) as [ProposalKind, ...ProposalKind[]]

/** Roles whose holders may decide about what others proposed: to give one takes a second person. */
export const APPROVING_ROLES: readonly Role[] = ROLES.filter((role) =>
  Object.values<Permission>(PROPOSAL_PERMISSIONS).some((one) => ROLE_PERMISSIONS[role].includes(one)),
)

/**
 * Days in which somebody whose approving role was taken away in the console still counts as another person: they get every
 * letter, see what waits, and may refuse it (`proposals.stop`).
 */
export const FORMER_ROLE_DAYS = 7

/** Days in which an operator does not approve what somebody proposed who gave them a role, or got theirs from the same hands. */
export const NEW_OPERATOR_DAYS = 7

/** What somebody with these permissions may propose and decide. */
export const proposalKindsOf = (permissions: readonly string[]): ProposalKind[] =>
  PROPOSAL_KINDS.filter((kind) => permissions.includes(PROPOSAL_PERMISSIONS[kind]))

const changeShape = {
  kind: z.enum(PROPOSAL_KINDS),
  /** What it is about: the key of a setting (of a planned price too), or the id of a player, of a bank transfer, of an invitation, of a batch of deliveries, of a budget, of a promotion, of milestones or of a batch of gift codes. */
  subject: z.string(),
  /** Values of a setting; roles, with commas between them; TCoin of an adjustment, a bank transfer or a budget, as `after`, signed; how many deliveries are given again. */
  payload: z.object({
    before: z.string(),
    after: z.string(),
    /** How many times its present value a price or a limit would become. */
    factor: z.optional(z.number()),
    /** VND that would go back by MoMo; the wallet stays as it is. */
    refund: z.optional(z.number()),
    /** When a planned price would come, and go back; null where it would stay. */
    starts_at: z.optional(moment),
    ends_at: z.optional(z.nullable(moment)),
    /** The case of the visitor who would get the account. */
    case_id: z.optional(idText),
  }),
}

/** A change proposed by one operator and not made yet. */
export const operatorProposalSchema = z.object({
  id: idText,
  ...changeShape,
  /** The username of that player, or of the one who would get the transfer's TCoin; the title of the budget, promotion, milestones or batch. */
  subject_name: z.nullable(shownName),
  /** What is done before it and only together with it, such as filling the budget of a campaign; all of it is decided at once. */
  parts: z.array(z.object(changeShape)),
  /** With those of its parts. As they would be today while it waits, as they were proposed afterwards; null for one of before terms were stored. */
  terms: z.nullable(proposalTermsSchema),
  reason: z.string(),
  proposed_by: person,
  proposed_at: moment,
  /** When it takes effect unless somebody refuses it before; null while another person has to agree first. */
  takes_effect_at: z.nullable(moment),
  /** Who agreed while others were still asked, the first one first. */
  agreed_by: z.array(z.object({ id: idText, username: z.string(), at: moment })),
  /** Who counts as another person and has not agreed; null where one of them is enough, and when it is decided. */
  asked: z.nullable(z.array(person)),
  state: z.enum(PROPOSAL_STATES),
  decided_by: z.nullable(person),
  decided_at: z.nullable(moment),
  decision_reason: z.nullable(z.string()),
})

export type OperatorProposal = z.output<typeof operatorProposalSchema>

/** The permissions that it takes to propose and to approve: those of all that would be done. */
export const permissionsFor = ({ kind, parts }: Pick<OperatorProposal, 'kind' | 'parts'>): Permission[] => [
  ...new Set([kind, ...parts.map((part) => part.kind)].map((one) => PROPOSAL_PERMISSIONS[one])),
]

/**
 * Of an act that may wait for a second person: `done` is its answer when it does not.
 * @__NO_SIDE_EFFECTS__
 */
export const doneOrProposal = <Done extends z.ZodMiniType>(done: Done) => ({
  answer: z.union([done, z.object({ proposal: operatorProposalSchema })]),
  mayWait: true,
})

const DECIDERS = permitted(Object.values(PROPOSAL_PERMISSIONS))
/** With those whose role was taken in the last days. */
const STOPPERS = permitted([...Object.values(PROPOSAL_PERMISSIONS), 'proposals.stop'])

export const operatorProposals = {
  list: endpoint('GET', '/operator/proposals', STOPPERS, {
    summary:
      'What operators proposed and the caller may decide, or could until a role was taken from them in the last seven days; the newest first. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      state: z.optional(z.enum(PROPOSAL_STATES)),
    }),
    answer: z.array(operatorProposalSchema),
  }),
  approve: endpoint('POST', '/operator/proposals/{id}/approve', DECIDERS, {
    summary:
      'Agrees to what somebody else proposed: it is done, or waits still where others are asked too (`state`, `takes_effect_at`, `asked`). Takes a fresh step-up.',
    ...actOnRow(operatorProposalSchema, 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  reject: endpoint('POST', '/operator/proposals/{id}/reject', STOPPERS, {
    summary:
      'Refuses what somebody else proposed; also open to those whose role was taken in the last seven days. Takes a fresh step-up.',
    ...actOnRow(operatorProposalSchema, 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  withdraw: endpoint('POST', '/operator/proposals/{id}/withdraw', DECIDERS, {
    summary: 'Takes back what one proposed oneself.',
    ...actOnRow(operatorProposalSchema, 'CONFLICT'),
  }),
}
