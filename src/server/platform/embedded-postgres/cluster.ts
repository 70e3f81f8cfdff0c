import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { spawnFault } from './binaries.ts'
import { makeCredentials, readCredentials, writeCredentials } from './credentials.ts'
import type { Credentials } from './credentials.ts'
import type { Log, Place, Tools } from './place.ts'
import type { RunAs } from './run-as.ts'
import { SetupProblem } from '../values/errors.ts'

const run = promisify(execFile)
const DRAFT_PREFIX = 'postgres.new-'
// What a killed start leaves: an unfinished cluster, or the directory of a probe (run-as.ts).
const LEFT_OVER = /^postgres\.(new|probe)-[0-9a-f]{8}$/
const INITDB_TIMEOUT_MS = 120_000

/** Finds the cluster, or makes it on the first start; answers its port and password. Call it under the lock. */
export async function ensureCluster(place: Place, tools: Tools): Promise<Credentials> {
  await removeLeftOvers(place.dataDir, tools.log)
  const found = await lookAtCluster(place)
  if (found !== null) {
    await claim(place.clusterDir, tools.runAs)
    return found
  }
  const credentials = (await readCredentials(place.credentialsFile)) ?? (await makeCredentials())
  // Before the cluster is renamed into place: nobody could open one whose password is lost.
  await writeCredentials(place.credentialsFile, credentials)
  await createCluster(place, tools, credentials)
  return credentials
}

/** Port and password of the cluster that is there; null when there is none. Changes nothing. */
export async function lookAtCluster(place: Place): Promise<Credentials | null> {
  if (!(await isClusterThere(place.clusterDir))) return null
  const stored = await readCredentials(place.credentialsFile)
  if (stored !== null) return stored
  throw new SetupProblem(
    `there is a database in ${place.clusterDir} but its password file ${place.credentialsFile} is missing: ` +
      'restore the file from a backup, or move the folder postgres away to begin anew',
  )
}

async function isClusterThere(clusterDir: string): Promise<boolean> {
  const names = await readdir(clusterDir).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'EACCES') throw belongsToAnother(clusterDir, error)
    throw error
  })
  // An empty directory (a fresh mount, say) may be replaced: renaming over it succeeds.
  if (names.length === 0) return false
  if (names.includes('PG_VERSION')) return true
  throw new SetupProblem(
    `${clusterDir} is not a data directory of PostgreSQL: move it away, or choose another DATA_DIR`,
  )
}

function belongsToAnother(clusterDir: string, cause?: unknown): SetupProblem {
  return new SetupProblem(
    `${clusterDir} belongs to another user: start the portal as the user who made DATA_DIR`,
    { cause },
  )
}

/** PostgreSQL starts only on files that belong to the user it runs as, closed to others. A restored copy may be neither. */
async function claim(clusterDir: string, { owner }: RunAs): Promise<void> {
  const { uid } = await stat(clusterDir)
  if (owner === null) {
    if (process.getuid !== undefined && uid !== process.getuid()) throw belongsToAnother(clusterDir)
  } else if (uid !== owner.uid) {
    await run('chown', ['-R', `${owner.uid}:${owner.gid}`, clusterDir])
  }
  await chmod(clusterDir, 0o700)
}

/** Made beside its place and renamed when whole: being killed in the middle leaves a draft that the next start removes. */
async function createCluster(place: Place, tools: Tools, { password }: Credentials): Promise<void> {
  const startedAt = performance.now()
  tools.log('embedded postgres: making the database, once for this folder')
  const draft = join(place.dataDir, `${DRAFT_PREFIX}${randomBytes(4).toString('hex')}`)
  const clusterDir = join(draft, 'cluster')
  const passwordFile = join(draft, 'password')
  await mkdir(draft, { mode: 0o700 })
  await mkdir(clusterDir, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' })
  const { owner } = tools.runAs
  if (owner !== null) {
    for (const path of [draft, clusterDir, passwordFile]) await chown(path, owner.uid, owner.gid)
  }
  try {
    await runInitdb(tools, clusterDir, passwordFile)
    await rename(clusterDir, place.clusterDir)
    await syncDirectory(place.dataDir)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  tools.log('embedded postgres initialised', { took_ms: Math.round(performance.now() - startedAt) })
}

async function runInitdb(tools: Tools, clusterDir: string, passwordFile: string): Promise<void> {
  const { file, args, ...ids } = tools.runAs.command(tools.binaries.initdb, [
    `--pgdata=${clusterDir}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The built-in provider needs no locale installed and sorts the same on every machine, so an index stays right when moved.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
    // In its file, where tests can turn them on.
    ...(tools.durable
      ? []
      : ['--no-sync', '--set=fsync=off', '--set=synchronous_commit=off', '--set=full_page_writes=off']),
  ])
  try {
    await run(file, args, { ...ids, cwd: '/', env: tools.binaries.env, timeout: INITDB_TIMEOUT_MS })
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    const reason = spawnFault(error) ?? stderr.trim()
    throw new SetupProblem(`PostgreSQL could not make its database in ${clusterDir}: ${reason}`, {
      cause: error,
    })
  }
}

async function syncDirectory(dir: string): Promise<void> {
  // Windows cannot open a directory, and makes renames durable without that.
  if (process.platform === 'win32') return
  await using handle = await open(dir, 'r')
  await handle.sync()
}

async function removeLeftOvers(dataDir: string, log: Log): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!LEFT_OVER.test(name)) continue
    log('embedded postgres: removing what a killed start left', { name })
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  }
}
