import { operatorServers } from '#contract/operator/servers.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { changeServer, createServer, listOperatorServers, removeServer } from './servers.service.ts'

export function registerOperatorServers(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorServers.list, {
    resource: 'servers',
    usualSort: ['position', 'ASC'],
    rows: (filter, page) => listOperatorServers(deps.db, filter, page),
  })
  api.serve(operatorServers.create, (call) => createServer(deps, call))
  api.serve(operatorServers.update, (call) => changeServer(deps, call))
  api.serve(operatorServers.remove, (call) => removeServer(deps, call))
}
