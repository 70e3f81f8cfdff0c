import { operatorMaintenance } from '#contract/operator/maintenance.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { changeMaintenance, getMaintenance } from './maintenance.service.ts'

export function registerMaintenance(api: Api, deps: PlatformDeps): void {
  api.serve(operatorMaintenance.get, () => getMaintenance(deps.db))
  api.serve(operatorMaintenance.update, (call) => changeMaintenance(deps, call))
}
