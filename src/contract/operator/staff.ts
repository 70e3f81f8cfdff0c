import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../fields.ts'
import { actOnRow, listQuery, onRow, person, reason } from './fields.ts'
import { doneOrProposal, operatorProposalSchema } from './proposals.ts'
import { permitted, ROLES } from './roles.ts'

export const INVITE_HOURS = 48

export const staffMemberSchema = z.object({
  id: idText,
  username: z.string(),
  roles: z.array(z.enum(ROLES)),
  /** Without it nobody gets into the console. */
  has_second_factor: z.boolean(),
  /** Without an address that they proved no letter reaches them. */
  has_proved_address: z.boolean(),
  /** Null when none is stored any more. */
  last_sign_in_at: z.nullable(moment),
})

export type StaffMember = z.output<typeof staffMemberSchema>

const staffInviteSchema = z.object({
  id: idText,
  role: z.enum(ROLES),
  invited_by: person,
  created_at: moment,
  expires_at: moment,
  /** Nobody has agreed to it yet. */
  is_waiting: z.boolean(),
})

export type StaffInvite = z.output<typeof staffInviteSchema>

const MANAGERS = permitted('staff.manage')

export const operatorStaff = {
  list: endpoint('GET', '/operator/staff', MANAGERS, {
    summary: 'Who holds a role, by name.',
    query: listQuery(['username'], {}),
    answer: z.array(staffMemberSchema),
  }),
  setRoles: endpoint('PUT', '/operator/staff/{id}/roles', MANAGERS, {
    summary:
      'Gives a user exactly these roles, with effect on their next call; none takes all away. The last owner stays one. Takes a fresh step-up; to give or take a role that may approve proposals takes a second person.',
    body: z.object({ roles: z.array(z.enum(ROLES)).check(z.maxLength(ROLES.length)), reason }),
    ...doneOrProposal(staffMemberSchema),
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  /** Without an idempotency key: its answer would be stored, and only its reader may know the link. */
  invite: endpoint('POST', '/operator/staff/invites', MANAGERS, {
    summary:
      'Makes a link that gives the role to whoever signs in to the console by it: once, and within 48 hours. Takes a fresh step-up. The link of a role that may approve proposals counts for nothing until a second person has agreed.',
    body: z.object({ role: z.enum(ROLES), reason }),
    answer: z.object({
      link: z.string(),
      expires_at: moment,
      /** What a second person has to agree to before the link can be used. */
      proposal: z.optional(operatorProposalSchema),
    }),
    mayWait: true,
    status: 201,
    errors: ['STEP_UP_REQUIRED'],
  }),
  invites: endpoint('GET', '/operator/staff/invites', MANAGERS, {
    summary: 'Invitations that can still be used, without their links.',
    query: listQuery(['expires_at'], {}),
    answer: z.array(staffInviteSchema),
  }),
  withdrawInvite: endpoint('DELETE', '/operator/staff/invites/{id}', MANAGERS, {
    summary:
      'Takes an invitation back: its link counts for nothing any more. CONFLICT when it cannot be used anyway.',
    ...actOnRow(staffInviteSchema, 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
}
