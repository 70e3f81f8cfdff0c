import { operatorStaff } from '#contract/operator/staff.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import {
  listStaffMembers,
  setRoles,
  type StaffDeps,
  inviteStaff,
  listInvites,
  withdrawInvite,
} from './staff.service.ts'
export function registerStaff(api: Api, deps: StaffDeps): void {
  serveOperatorList(api, deps, operatorStaff.list, { usualSort: ['username', 'ASC'], rows: listStaffMembers })
  serveOperatorList(api, deps, operatorStaff.invites, { usualSort: ['expires_at', 'ASC'], rows: listInvites })
  api.serveAll(operatorStaff, deps, { withdrawInvite, setRoles, invite: inviteStaff })
}
