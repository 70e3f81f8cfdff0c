import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareDataDir, requireAccess } from '../process/data-dir.ts'
import { SetupProblem } from '../values/errors.ts'
import type { Binaries } from './binaries.ts'
import { isProcessAlive, processBirth } from './processes.ts'
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

export async function preparePlace(configuredDir: string): Promise<Place> {
  await prepareDataDir(configuredDir)
  // Without symbolic links, because a running server is recognised by the directory on its command line.
  const dataDir = await realpath(configuredDir)
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

const SQLITE_BUSY = 5
const POLL_MS = 25

/**
 * Runs `act` while no other process (nor another caller in this one) holds the same lock file.
 *
 * The lock is the operating system's, through SQLite's file locking, the only one that Node offers: the kernel releases it
 * when its holder ends, in any way. So there are no stale locks, and no race between two processes that remove one.
 */
export async function withLock<T>(file: string, waitMs: number, act: () => Promise<T>): Promise<T> {
  using lock = new DatabaseSync(file)
  // By path, not by opening: closing any other descriptor of this file would drop a lock held in this process.
  chmodSync(file, 0o600)
  await acquire(lock, file, waitMs)
  return await act()
}

async function acquire(lock: DatabaseSync, file: string, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      // Nothing is written, so no journal file is needed beside the lock. The pragma itself takes the lock.
      lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      return
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
      if (performance.now() > deadline) {
        throw new SetupProblem(
          `another process has been starting or stopping PostgreSQL for ${Math.round(waitMs / 1000)} s (lock ${file}): ` +
            'look at the processes of the portal, then start again',
          { cause: error },
        )
      }
    }
    await sleep(POLL_MS)
  }
}

const NAME = /^(\d+)-[0-9a-f]{8}$/

/** Records that this process uses the server. One file per use, so one process may open it twice and each use ends separately. */
export async function register(runDir: string): Promise<string> {
  await mkdir(runDir, { recursive: true, mode: 0o700 })
  const file = join(runDir, `${process.pid}-${randomBytes(4).toString('hex')}`)
  await writeFile(file, processBirth(process.pid) ?? '', { flag: 'wx' })
  return file
}

export async function unregister(file: string): Promise<void> {
  await rm(file, { force: true })
}

/** How many living uses there are. What a killed process left behind is removed on the way. Call it under the lock. */
export async function countLivingUses(runDir: string): Promise<number> {
  await mkdir(runDir, { recursive: true, mode: 0o700 })
  let living = 0
  for (const name of await readdir(runDir)) {
    const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(pid)) continue
    const file = join(runDir, name)
    const birth = await readFile(file, 'utf8')
    if (isProcessAlive(pid) && isSameBirth(birth, processBirth(pid))) living += 1
    else await unregister(file)
  }
  return living
}

/** The release before wrote the id of the boot in front of it. */
const isSameBirth = (registered: string, now: string | null): boolean =>
  now !== null && (registered === now || registered.endsWith(`:${now}`))
