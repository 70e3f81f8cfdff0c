import { activate } from '#contract/transfers.ts'
import { type Api, playerRequestOf } from '#server/platform/http/api.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { activateAccount } from './traders.service.ts'

export function registerActivation(api: Api, deps: PlatformDeps): void {
  api.serve(activate, (call) => activateAccount(deps, playerRequestOf(call)))
}
