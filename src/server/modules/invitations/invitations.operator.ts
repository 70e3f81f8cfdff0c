import { operatorInvitations } from '#contract/operator/rewards/invitations.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { grantReward, listRewards, refuseReward } from './invitations.service.ts'

export function registerOperatorInvitations(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorInvitations.list, {
    resource: 'invitation-rewards',
    usualSort: ['id', 'DESC'],
    isGrowing: true,
    rows: (filter, page) => listRewards(deps.db, filter, page),
  })
  api.serve(operatorInvitations.grant, (call) => grantReward(deps, call))
  api.serve(operatorInvitations.refuse, (call) => refuseReward(deps, call))
}
