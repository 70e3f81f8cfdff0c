import { getGroupEntries, listGroups } from '#contract/ranking.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { getStanding, listGroups as readGroups } from './ranking.service.ts'

export function registerRanking(api: Api, deps: PlatformDeps): void {
  api.serve(listGroups, () => readPublic(deps.db, readGroups))
  api.serve(getGroupEntries, ({ identity, params, query }) =>
    readPublic(deps.db, (db) =>
      getStanding(db, { groupId: params.id, userId: identity.userId, serverId: query.server }),
    ),
  )
}
