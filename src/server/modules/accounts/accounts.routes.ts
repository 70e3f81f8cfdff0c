import * as contacts from '#contract/accounts/one-time-codes.ts'
import { operatorStaff } from '#contract/operator/staff.ts'
import { getGameLimits } from '#contract/game/limits.ts'
import { listServers } from '#contract/settings.ts'
import { getInvitation } from '#contract/users.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { findGameLimits } from '#server/modules/game-bridge/index.ts'
import type { Api, UserCall } from '#server/platform/http/api.ts'
import * as accounts from './accounts.service.ts'
import { contactHintsOf } from './contact-hints.service.ts'
import { type ContactCall, sendEmailCode, updateEmail, updatePhone, verifyEmail } from './contacts.service.ts'
import {
  inviteStaff,
  listInvites,
  listStaffMembers,
  setRoles,
  type StaffDeps,
  withdrawInvite,
} from './staff.service.ts'

export function registerAccounts(api: Api, deps: PlatformDeps & { publicUrl: string }): void {
  api.serveCached(listServers, () => accounts.listServers(deps.db))
  api.serve(getGameLimits, () => findGameLimits(deps.db))
  api.serve(getInvitation, ({ identity }) => accounts.invitationOf(deps, identity.userId))
  api.serve(contacts.getContactHints, ({ identity }) => contactHintsOf(deps.db, identity.userId))
  api.serve(contacts.sendEmailCode, ({ body, ...call }) => sendEmailCode(deps, body, contactCall(call)))
  api.serve(contacts.verifyEmail, ({ body, ...call }) => verifyEmail(deps, body, contactCall(call)))
  api.serve(contacts.updateEmail, ({ body, ...call }) => updateEmail(deps, body, contactCall(call)))
  api.serve(contacts.updatePhone, ({ body, ...call }) => updatePhone(deps, body, contactCall(call)))
}

const contactCall = ({ identity, request }: Pick<UserCall<never>, 'identity' | 'request'>): ContactCall => ({
  userId: identity.userId,
  address: request.ip,
  requestId: request.id,
  log: request.log,
})

export function registerStaff(api: Api, deps: StaffDeps): void {
  serveOperatorList(api, deps, operatorStaff.list, { usualSort: ['username', 'ASC'], rows: listStaffMembers })
  serveOperatorList(api, deps, operatorStaff.invites, { usualSort: ['expires_at', 'ASC'], rows: listInvites })
  api.serveAll(operatorStaff, deps, { withdrawInvite, setRoles, invite: inviteStaff })
}
