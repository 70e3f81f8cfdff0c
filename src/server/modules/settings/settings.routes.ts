import { getSettings } from '#contract/settings.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { readPublicSettings } from './settings.service.ts'

export function registerSettings(api: Api, deps: PlatformDeps): void {
  api.serve(getSettings, () => readPublicSettings(deps.db))
}
