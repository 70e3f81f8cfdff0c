import { getGroupEntries, listGroups } from '#contract/ranking.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { getStanding, listGroups as readGroups } from './ranking.service.ts'

export function registerRanking(api: Api, deps: PlatformDeps): void {
  api.serve(listGroups, () => readGroups(deps.db))
  api.serve(getGroupEntries, ({ identity, params }) => getStanding(deps.db, params.id, identity.userId))
}
