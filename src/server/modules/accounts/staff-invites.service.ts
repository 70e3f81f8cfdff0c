import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { APPROVING_ROLES } from '#contract/operator/proposals.ts'
import { permissionsOf } from '#contract/operator/roles.ts'
import { INVITE_HOURS, type operatorStaff, type StaffInvite } from '#contract/operator/staff.ts'
import { actAsOperator, appendOwnAct } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { newToken, tokenHashOf } from '#server/platform/values/crypto.ts'
import { insertRole } from './accounts.queries.ts'
import {
  findMember,
  grantersOf,
  insertInvite,
  lockInvite,
  lockStaff,
  markWithdrawn,
  openInvite,
  selectOpenInvites,
  selectWaitingInvites,
  takeInvite,
} from './staff.queries.ts'
import type { StaffDeps } from './staff.service.ts'
import { inviteInvalid, inviteOver } from './accounts.errors.ts'

/** The token stands behind `#`, which browsers send to no server. */
function linkTo({ publicUrl, config }: StaffDeps, token: string): string {
  const base = new URL(publicUrl)
  if (config.adminHost !== null) base.host = config.adminHost
  return `${base.origin}/admin/invite#${token}`
}

/** Makes an invitation. Only its reader knows the token; the database keeps its hash. */
export async function inviteStaff(
  deps: StaffDeps,
  call: UserCall<typeof operatorStaff.invite>,
): Promise<AnswerOf<typeof operatorStaff.invite>> {
  const { role } = call.body
  const { token, tokenHash } = newToken()
  const invitedBy = call.identity.userId
  return actAsOperator<AnswerOf<typeof operatorStaff.invite>>(deps, call, {
    action: 'staff.invite',
    async work(tx) {
      const isWaiting = APPROVING_ROLES.includes(role)
      const made = { tokenHash, role, invitedBy, hours: INVITE_HOURS, isWaiting }
      const { id, expiresAt } = await insertInvite(tx, made)
      const answer = { link: linkTo(deps, token), expires_at: expiresAt.toISOString() }
      if (isWaiting) {
        const payload = { before: '', after: role }
        const asked = { kind: 'invite', subject: id, payload, reason: call.body.reason } as const
        const by = { operatorId: invitedBy, requestId: call.request.id }
        const proposal = await deps.proposeStaff(tx, asked, by)
        if (proposal !== null) return { answer: { ...answer, proposal }, audit: null }
        await openInvite(tx, id, INVITE_HOURS)
      }
      const { expires_at } = answer
      const chain = await grantersOf(tx, invitedBy)
      return {
        answer,
        audit: { subject: { type: 'staff-invite', id }, details: { role, expires_at, chain } },
      }
    },
  })
}

/** How an invitation begins to count to which a second person has agreed, or nobody objected in time. */
export const inviteProposals = {
  titleOf: (id: string): string => `Lời mời vào ban vận hành số ${id}`,
  readMany: selectWaitingInvites,
  /** False when it was withdrawn. Its 48 hours begin now. */
  apply: (tx: Tx, { subject }: { subject: string }): Promise<boolean> =>
    openInvite(tx, subject, INVITE_HOURS),
} as const

export async function listInvites(
  db: Db,
  { id }: NonNullable<QueryOf<typeof operatorStaff.invites>['filter']>,
  page: ListPage,
): Promise<ListRows<StaffInvite>> {
  return selectOpenInvites(db, id, page)
}

/** Takes an invitation back, before or instead of its use: whoever comes second is refused. */
export async function withdrawInvite(
  deps: StaffDeps,
  call: UserCall<typeof operatorStaff.withdrawInvite>,
): Promise<StaffInvite> {
  return actAsOperator(deps, call, {
    action: 'staff.withdraw-invite',
    async work(tx) {
      const found = await lockInvite(tx, call.params.id)
      if (found === undefined) throw notFound()
      if (!found.isOpen) throw inviteOver()
      const { invite } = found
      await markWithdrawn(tx, invite.id, call.identity.userId)
      const { role, expires_at, invited_by } = invite
      const before = { role, expires_at, invited_by: invited_by.id }
      return {
        answer: invite,
        audit: { subject: { type: 'staff-invite', id: invite.id }, details: { before, after: null } },
      }
    },
  })
}

/**
 * Gives the role of an invitation to somebody who has just proved who they are, and uses it up. Throws TOKEN_INVALID;
 * also when its maker may no longer give roles.
 */
export async function acceptInvite(
  tx: Tx,
  { token, userId }: { token: string; userId: string },
): Promise<void> {
  const tokenHash = tokenHashOf(token)
  await lockStaff(tx)
  const invite = tokenHash === null ? undefined : await takeInvite(tx, { tokenHash, userId })
  if (invite === undefined) throw inviteInvalid()
  const maker = await findMember(tx, invite.invitedBy)
  if (!permissionsOf(maker?.roles ?? []).includes('staff.manage')) throw inviteInvalid()
  const before = (await findMember(tx, userId))?.roles ?? []
  await insertRole(tx, { userId, role: invite.role, grantedBy: invite.invitedBy })
  const after = (await findMember(tx, userId))?.roles ?? []
  await appendOwnAct(tx, userId, {
    action: 'staff.accept-invite',
    details: {
      before: { roles: before },
      after: { roles: after },
      invite_id: invite.id,
      invited_by: invite.invitedBy,
      // Who gave the inviter a role, who gave that one, and so on.
      chain: await grantersOf(tx, invite.invitedBy),
    },
  })
}
