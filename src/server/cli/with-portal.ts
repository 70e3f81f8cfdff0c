import type { Log } from '#server/platform/log/log.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { wireDeps, type PortalDeps } from '../app/deps.ts'
import type { Config } from '../config/config.ts'
import { openPortalDatabase } from '../start/database.ts'

/** A wrong call of a command; what is printed is its usage. */
export class UsageError extends Error {}

/** For one command: the database as each start makes it ready, and the portal's parts. Answers the exit code. */
export async function onPortal(
  config: Config,
  log: Log,
  work: (deps: PortalDeps, appUrl: string) => Promise<number | void>,
): Promise<number> {
  const database = await openPortalDatabase(config, { log, clock: systemClock, isServing: false })
  try {
    return (await work(wireDeps({ config, log, database }), database.appUrl)) ?? 0
  } finally {
    await database.close()
  }
}
