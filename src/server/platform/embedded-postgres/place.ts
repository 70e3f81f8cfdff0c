import { mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'

export type Log = (message: string, fields?: Record<string, unknown>) => void

/** Where everything of one embedded server lies. */
export type Place = {
  dataDir: string
  clusterDir: string
  credentialsFile: string
  lockFile: string
  runDir: string
}

export async function preparePlace(wantedDir: string): Promise<Place> {
  await mkdir(resolve(wantedDir), { recursive: true, mode: 0o700 })
  // One true path, because a running server is recognised by the directory on its command line.
  const dataDir = await realpath(wantedDir)
  return {
    dataDir,
    clusterDir: join(dataDir, 'postgres'),
    credentialsFile: join(dataDir, 'postgres.json'),
    lockFile: join(dataDir, 'postgres.lock'),
    runDir: join(dataDir, 'run'),
  }
}
