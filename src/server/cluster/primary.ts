import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'
import { countForMachine } from '../platform/limits/machine-limiter.ts'
import { openLog, type Log } from '../platform/log/log.ts'
import type { ProcessPlace } from '#server/platform/process/identity.ts'
import type { Roles } from '../start/roles.ts'
import { supervise, type Supervised } from './supervised.ts'

const START = fileURLToPath(new URL('../start/start.js', import.meta.url))
/** Beyond STOP_DELAY: longer than every bounded step of a stop takes. */
const STOP_MS_MAX = 60_000

export type Primary = {
  log: Log
  /** Rejects, with the reason, when a process fails to stay running. */
  hopeless: Promise<never>
  /** Prints what is connected and what is not. */
  report(): Promise<void>
  stop(): Promise<void>
}

/**
 * The portal as several processes: web processes that share one listener, and one worker. This one opens nothing: it
 * starts the others, starts them again, and counts for all of them what one client may do. The first of them prepares
 * the database (an embedded one, migrations, first data) before the others are started.
 */
export async function startPrimary(
  { processes: webs, logLevel, stopDelayMs }: Config,
  roles: Roles,
): Promise<Primary> {
  const log = openLog(logLevel)
  cluster.setupPrimary({ exec: START, args: [] })
  countForMachine()
  const places: ProcessPlace[] = Array.from({ length: webs }, (_, index) => ({
    role: 'web',
    number: index + 1,
    webs,
  }))
  if (roles.isWorker) places.unshift({ role: 'worker', number: 0, webs })
  const all: Supervised[] = []
  const start = async (place: ProcessPlace) => {
    const one = supervise(place, log)
    all.push(one)
    await one.ready
  }
  const stop = async () => {
    await Promise.all(all.map((one) => one.stop(stopDelayMs + STOP_MS_MAX)))
  }
  const [first, ...others] = places
  try {
    await start(first as ProcessPlace)
    await Promise.all(others.map(start))
  } catch (error) {
    await stop()
    throw error
  }
  const hopeless = Promise.race(all.map((one) => one.hopeless))
  return { log, hopeless, report: async () => all[0]?.report(), stop }
}
