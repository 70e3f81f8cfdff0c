import { operatorInvitations } from '#contract/operator/rewards/invitations.ts'
import { getInvitations } from '#contract/rewards/invitations.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { grantReward, listRewards, readInvitations, refuseReward } from './invitations.service.ts'

export function registerInvitations(api: Api, deps: PlatformDeps & { publicUrl: string }): void {
  api.serve(getInvitations, ({ identity }) => readInvitations(deps, identity.userId))
}

export function registerOperatorInvitations(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorInvitations.list, { usualSort: ['id', 'DESC'], rows: listRewards })
  api.serveAll(operatorInvitations, deps, { grant: grantReward, refuse: refuseReward })
}
