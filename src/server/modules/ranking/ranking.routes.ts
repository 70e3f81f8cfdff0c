import { operatorGroups } from '#contract/operator/groups.ts'
import { getGroupEntries, listGroups } from '#contract/ranking.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { changeGroup, createGroup, listOperatorGroups, removeGroup } from './groups.service.ts'
import { getStanding, listGroups as readGroups } from './ranking.service.ts'

export function registerRanking(api: Api, deps: PlatformDeps): void {
  api.serve(listGroups, () => readPublic(deps.db, readGroups))
  api.serve(getGroupEntries, ({ identity, params, query }) =>
    readPublic(deps.db, (db) =>
      getStanding(db, { groupId: params.id, userId: identity.userId, serverId: query.server }),
    ),
  )
}

export function registerOperatorGroups(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorGroups.list, {
    resource: 'groups',
    usualSort: ['position', 'ASC'],
    rows: (filter, page) => listOperatorGroups(deps.db, filter, page),
  })
  api.serve(operatorGroups.create, (call) => createGroup(deps, call))
  api.serve(operatorGroups.update, (call) => changeGroup(deps, call))
  api.serve(operatorGroups.remove, (call) => removeGroup(deps, call))
}
