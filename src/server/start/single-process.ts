import { printWelcome, report } from './announcements.ts'
import type { PortalDeps } from '../app/deps.ts'
import { stopOnSignals } from '../shutdown/signals.ts'
import { startPortal } from './portal.ts'
import type { Roles } from './roles.ts'

/** The portal in this process alone. */
export async function runAlone(roles: Roles, overrides: Partial<PortalDeps>): Promise<void> {
  const starting = startPortal(process.env, roles, overrides)
  stopOnSignals(starting)
  const portal = await starting
  await report(portal)
  if (roles.isWeb) printWelcome(portal.config)
  else process.stderr.write('The worker of Cổng Ninja runs.\n')
}
