import type { QueryOf } from '#contract/endpoint.ts'
import { ROLES } from '#contract/operator/roles.ts'
import type { operatorStaff, StaffMember } from '#contract/operator/staff.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { deleteRole, insertRole } from './accounts.queries.ts'
import { lastOwner } from './staff.errors.ts'
import { countHolders, findMember, lockStaff, selectStaff } from './staff.queries.ts'

type Filter = NonNullable<QueryOf<typeof operatorStaff.list>['filter']>

export async function listStaffMembers(
  db: Db,
  { id }: Filter,
  page: ListPage,
): Promise<ListRows<StaffMember>> {
  return selectStaff(db, id, page)
}

/** Gives a user exactly the roles named. Sessions stay; what they may do is asked of the database at each call. */
export async function setRoles(
  deps: PlatformDeps,
  call: UserCall<typeof operatorStaff.setRoles>,
): Promise<StaffMember> {
  const { id } = call.params
  const wanted = ROLES.filter((role) => call.body.roles.includes(role))
  return actAsOperator(deps, call, {
    action: 'staff.set-roles',
    needsFreshProof: true,
    async work(tx) {
      await lockStaff(tx)
      const before = await findMember(tx, id)
      if (before === undefined) throw notFound()
      const isOwnerLost = before.roles.includes('owner') && !wanted.includes('owner')
      if (isOwnerLost && (await countHolders(tx, 'owner')) <= 1) throw lastOwner()
      for (const role of ROLES) {
        if (wanted.includes(role)) await insertRole(tx, id, role)
        else await deleteRole(tx, id, role)
      }
      const after = { ...before, roles: wanted }
      return {
        answer: after,
        audit: {
          subject: { type: 'user', id },
          details: { before: { roles: before.roles }, after: { roles: wanted } },
        },
      }
    },
  })
}
