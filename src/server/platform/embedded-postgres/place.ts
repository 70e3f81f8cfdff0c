import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareDataDir, requireAccess } from '../process/data-dir.ts'
import type { Binaries } from './binaries.ts'
import type { RunAs } from './run-as.ts'

export type Log = (message: string, fields?: Record<string, unknown>) => void

/** How the programs of PostgreSQL are run. */
export type Tools = { binaries: Binaries; runAs: RunAs; durable: boolean; log: Log }

/** The paths of one embedded server. */
export type Place = {
  dataDir: string
  clusterDir: string
  credentialsFile: string
  lockFile: string
  runDir: string
}

export async function preparePlace(wantedDir: string): Promise<Place> {
  await prepareDataDir(wantedDir)
  // Without symbolic links, because a running server is recognised by the directory on its command line.
  const dataDir = await realpath(wantedDir)
  const place = placeIn(dataDir)
  for (const path of [place.credentialsFile, place.lockFile, place.runDir]) await requireAccess(path)
  return place
}

export const placeIn = (dataDir: string): Place => ({
  dataDir,
  clusterDir: join(dataDir, 'postgres'),
  credentialsFile: join(dataDir, 'postgres.json'),
  lockFile: join(dataDir, 'postgres.lock'),
  runDir: join(dataDir, 'run'),
})
