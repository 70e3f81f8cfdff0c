import { operatorGroups } from '#contract/operator/groups.ts'
import { getGroupEntries, getRankingName, listGroups, setRankingName } from '#contract/ranking.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import type { Api } from '#server/platform/http/api.ts'
import { changeGroup, createGroup, listOperatorGroups, removeGroup } from './groups.service.ts'
import { chooseRankingName, readRankingName } from './nickname.service.ts'
import { getRanking, listGroups as readGroups } from './ranking.service.ts'

export function registerRanking(api: Api, deps: PlatformDeps): void {
  // Names come from the memory of this process, which knows of a change before a replica does.
  api.serve(listGroups, async () => {
    const names = await readGameNames(deps.db)
    return readPublic(deps.db, (db) => readGroups(db, names))
  })
  api.serve(getGroupEntries, async ({ identity, params, query }) => {
    const names = await readGameNames(deps.db)
    const ranking = { groupId: params.id, userId: identity.userId, query, names }
    return readPublic(deps.db, (db) => getRanking(db, ranking))
  })
  api.serve(getRankingName, ({ identity }) => readRankingName(deps.db, identity.userId))
  api.serve(setRankingName, ({ identity, body }) => chooseRankingName(deps, identity.userId, body))
}

export function registerOperatorGroups(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorGroups.list, {
    usualSort: ['position', 'ASC'],
    rows: listOperatorGroups,
  })
  api.serveAll(operatorGroups, deps, { create: createGroup, update: changeGroup, remove: removeGroup })
}
