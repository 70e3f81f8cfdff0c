import { getSettings } from '#contract/settings.ts'
import { listClosureNotices } from '#server/modules/maintenance/index.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { readPublicSettings } from './settings.service.ts'

/** `sandbox` is there in a demo only; which parts it has is not a matter of the settings. */
type SettingsRoutesDeps = PlatformDeps & { sandbox: object | null }

export function registerSettings(api: Api, deps: SettingsRoutesDeps): void {
  // No operator can set it: pages learn from it that the bank at their back is made up.
  const demo: Record<string, string> = deps.sandbox === null ? {} : { demo: '1' }
  api.serveRead(getSettings, async () => {
    const notices = await listClosureNotices(deps)
    const maintenance: Record<string, string> =
      notices.length === 0 ? {} : { maintenance: notices.join('\n') }
    return { ...(await readPublicSettings(deps.db)), ...demo, ...maintenance }
  })
}
