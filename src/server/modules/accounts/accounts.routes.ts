import { listServers } from '#contract/servers.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listServers as readServers } from './accounts.service.ts'

export function registerAccounts(api: Api, deps: PlatformDeps): void {
  api.serve(listServers, () => readServers(deps.db))
}
