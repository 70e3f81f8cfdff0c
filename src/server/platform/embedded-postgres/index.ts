import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { loadPlatformPackage, locateBinaries } from './binaries.ts'
import { ensureCluster, lookAtCluster } from './cluster.ts'
import type { Credentials } from './credentials.ts'
import { databaseUrl, ensureDatabase, ensureRunning } from './startup.ts'
import {
  withLock,
  placeIn,
  preparePlace,
  countLivingUses,
  register,
  unregister,
  type Log,
  type Place,
} from './place.ts'
import { findPostmaster, stopPostmaster } from './postmaster.ts'
import { chooseRunAs } from './run-as.ts'

type EmbeddedPostgresOptions = {
  dataDir: string
  log: Log
  /** False only where speed matters and a crash does not, that is in tests: it turns fsync off. */
  durable?: boolean
}

export type EmbeddedPostgres = {
  /** Opens the database `portal` as its owner, who is the superuser of this server. Holds the password: never log it. */
  url: string
  /** Ends this use. The last living use of all processes stops the server. */
  stop: () => Promise<void>
}

// Longer than the longest start or stop that may be under way in another process.
const LOCK_WAIT_MS = 90_000

/** The PostgreSQL of this data directory: made, started or adopted, whatever the last run left behind. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options
  const place = await preparePlace(options.dataDir)
  return withLock(place.lockFile, LOCK_WAIT_MS, async () => {
    const credentials = await bringUp(place, options)
    const registration = await registerOrStop(place, credentials, log)
    let stopping: Promise<void> | null = null
    return {
      url: databaseUrl(credentials, place.clusterDir),
      stop: () => (stopping ??= endUse(place, registration, log)),
    }
  })
}

/** Checks what exists, without starting or creating anything; throws what would stop a start. */
export async function inspectEmbeddedPostgres(
  dataDir: string,
): Promise<'absent' | 'stopped' | { url: string }> {
  await loadPlatformPackage()
  const place = placeIn(await realpath(dataDir).catch(() => resolve(dataDir)))
  const credentials = await lookAtCluster(place)
  if (credentials === null) return 'absent'
  const found = await findPostmaster(place.clusterDir)
  if (found.state !== 'running') return 'stopped'
  return { url: databaseUrl({ ...credentials, port: found.port }, place.clusterDir) }
}

async function bringUp(place: Place, { durable = true, log }: EmbeddedPostgresOptions): Promise<Credentials> {
  const binaries = await locateBinaries(place.dataDir)
  const runAs = await chooseRunAs(binaries, place.dataDir, place.clusterDir)
  const tools = { binaries, runAs, durable, log }
  return ensureRunning(place, await ensureCluster(place, tools), tools)
}

async function registerOrStop(place: Place, credentials: Credentials, log: Log): Promise<string> {
  try {
    await ensureDatabase(credentials)
    return await register(place.runDir)
  } catch (error) {
    // A server without a registered user would never be stopped.
    if ((await countLivingUses(place.runDir)) === 0) await stopPostmaster(place.clusterDir, log)
    throw error
  }
}

async function endUse(place: Place, registration: string, log: Log): Promise<void> {
  await withLock(place.lockFile, LOCK_WAIT_MS, async () => {
    await unregister(registration)
    const others = await countLivingUses(place.runDir)
    if (others > 0) {
      log('embedded postgres left running for others', { others })
      return
    }
    await stopPostmaster(place.clusterDir, log)
    log('embedded postgres stopped')
  })
}
