import { operatorGameServers, operatorServers } from '#contract/operator/servers.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import {
  changeServer,
  createServer,
  listGameServers,
  listOperatorServers,
  removeServer,
} from './servers.service.ts'

export function registerOperatorServers(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, operatorServers.list, {
    usualSort: ['position', 'ASC'],
    rows: listOperatorServers,
  })
  api.serve(operatorGameServers.list, () => listGameServers(deps.db))
  api.serveAll(operatorServers, deps, { create: createServer, update: changeServer, remove: removeServer })
}
