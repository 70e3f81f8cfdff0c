import cluster from 'node:cluster'
import { cacheCompiledCode } from './compile-cache.js'
import type { PortalDeps } from '../app/deps.ts'
import { stopOnSignals } from './shutdown.ts'
import { ownPlace } from '#server/platform/process/identity.ts'
import { readRoles, type Roles } from './roles.ts'
import { sentenceOf } from './start-failure.ts'
import type { Config } from '../config/config.ts'

export function reportFailure(error: unknown): void {
  process.stderr.write(`Cổng Ninja cannot start: ${sentenceOf(error)}\n`)
  process.exitCode = 1
}

/**
 * The portal as a process: web and worker, or one of them with `--web` or `--worker`. With PROCESSES it is the primary
 * of several. What only one of these needs is loaded there: the primary does without the portal itself.
 */
export async function main(
  argumentsGiven: readonly string[],
  overrides: Partial<PortalDeps> = {},
): Promise<void> {
  // Before anything large is loaded; `start.js` has done so already.
  cacheCompiledCode(process.env)
  try {
    if (cluster.isWorker && ownPlace !== null) {
      const { runChild } = await import('../cluster/child.ts')
      return await runChild(ownPlace)
    }
    const roles = readRoles(argumentsGiven)
    const { readConfigWithSecrets } = await import('../config/secrets.ts')
    const config = await readConfigWithSecrets(process.env)
    const isAlone = config.processes === 1 || !roles.isWeb || Object.keys(overrides).length > 0
    if (!isAlone) return await runPrimary(config, roles)
    const { runAlone } = await import('./portal.ts')
    await runAlone(roles, overrides)
  } catch (error) {
    reportFailure(error)
  }
}

async function runPrimary(config: Config, roles: Roles): Promise<void> {
  const { startPrimary } = await import('../cluster/primary.ts')
  const { printWelcome } = await import('./announcements.ts')
  const starting = startPrimary(config, roles)
  stopOnSignals(starting)
  const primary = await starting
  primary.hopeless.catch(async (error: unknown) => {
    reportFailure(error)
    await primary.stop()
    process.exit(1)
  })
  await primary.report()
  printWelcome(config)
}
