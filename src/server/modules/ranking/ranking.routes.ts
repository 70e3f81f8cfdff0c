import { getGroupEntries, listGroups } from '#contract/ranking.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { getStanding, listGroups as readGroups } from './ranking.service.ts'

export function registerRanking(api: Api, deps: PlatformDeps): void {
  api.serve(listGroups, () => readPublic(deps.db, readGroups))
  api.serve(getGroupEntries, ({ identity, params }) =>
    readPublic(deps.db, (db) => getStanding(db, params.id, identity.userId)),
  )
}
