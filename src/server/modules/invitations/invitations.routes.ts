import { getInvitations } from '#contract/rewards/invitations.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { readInvitations } from './invitations.service.ts'

export function registerInvitations(api: Api, deps: PlatformDeps & { publicUrl: string }): void {
  api.serve(getInvitations, ({ identity }) => readInvitations(deps, identity.userId))
}
