import { operatorGroups } from '#contract/operator/groups.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { changeGroup, createGroup, listGroupPage, removeGroup } from './groups.service.ts'

export function registerOperatorGroups(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorGroups.list, {
    resource: 'groups',
    usualSort: ['position', 'ASC'],
    rows: ({ id }, page) => listGroupPage(deps.db, id, page),
  })
  api.serve(operatorGroups.create, (call) => createGroup(deps, call))
  api.serve(operatorGroups.update, (call) => changeGroup(deps, call))
  api.serve(operatorGroups.remove, (call) => removeGroup(deps, call))
}
