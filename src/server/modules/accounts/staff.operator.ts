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
  serveOperatorList(api, deps, operatorStaff.list, {
    resource: 'staff',
    usualSort: ['username', 'ASC'],
    rows: (filter, page) => listStaffMembers(deps.db, filter, page),
  })
  serveOperatorList(api, deps, operatorStaff.invites, {
    resource: 'staff-invites',
    usualSort: ['expires_at', 'ASC'],
    rows: (filter, page) => listInvites(deps.db, filter, page),
  })
  api.serve(operatorStaff.withdrawInvite, (call) => withdrawInvite(deps, call))
  api.serve(operatorStaff.setRoles, (call) => setRoles(deps, call))
  api.serve(operatorStaff.invite, (call) => inviteStaff(deps, call))
}
