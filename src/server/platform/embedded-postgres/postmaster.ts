import { spawn } from 'node:child_process'
import { chown, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere } from '../process/data-dir.ts'
import { SetupProblem } from '../values/errors.ts'
import { spawnFault } from './binaries.ts'
import type { Log, Tools } from './place.ts'
import { isPidTaken, isProcessAlive, processCommand, waitUntilGone } from './processes.ts'

/** Linux takes 107 bytes, other systems 103. */
const PATH_BYTES_MAX = 103
const PREFIX = '.s.PGSQL.'

/**
 * Where the server of this directory listens beside its TCP port: in the directory itself, which nobody else may enter. By it a
 * statement takes a good third less of both sides' time. Null where such a path cannot be listened at.
 */
export function socketOf(clusterDir: string, port: number): string | null {
  const path = join(clusterDir, `${PREFIX}${port}`)
  const isPossible =
    process.platform !== 'win32' &&
    Buffer.byteLength(path) <= PATH_BYTES_MAX &&
    // PostgreSQL would read other characters as a list of directories, or as a quoted name.
    /^[\w./-]+$/.test(path)
  return isPossible ? path : null
}

/** What a killed server leaves; with the pid in its lock file given to another program, PostgreSQL would refuse to start. */
export async function removeDeadSockets(clusterDir: string): Promise<void> {
  for (const name of await readdir(clusterDir)) {
    if (name.startsWith(PREFIX)) await rm(join(clusterDir, name), { force: true })
  }
}

export type Launch = {
  /** Null while the server runs; else the reason why it ended, from its log. */
  ended: () => Promise<string | null>
}

export type Found =
  | { state: 'none' }
  /** The pid file is there but not (yet) whole. */
  | { state: 'unclear' }
  | { state: 'running'; pid: number; port: number; isReady: boolean }

const MAX_LOG_BYTES = 10 * 1024 * 1024
const FAST_STOP_MS = 10_000
const IMMEDIATE_STOP_MS = 10_000

/** The server of this data directory, started by any process. */
export async function findPostmaster(clusterDir: string): Promise<Found> {
  const lines = await readPidFile(clusterDir)
  if (lines === null) return { state: 'none' }
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return { state: 'unclear' }
  if (!isPostmaster(pid, clusterDir)) return { state: 'none' }
  const port = Number(lines[3])
  if (!Number.isInteger(port) || port <= 0) return { state: 'unclear' }
  return { state: 'running', pid, port, isReady: lines[7]?.trim() === 'ready' }
}

/**
 * PostgreSQL refuses to start while the pid of its pid file belongs to a running process, even to another program that
 * was given the pid of a killed server. If no process has that pid, the file stays: it names the shared memory that
 * PostgreSQL must find unused.
 */
export async function removeMisleadingPidFile(clusterDir: string, log: Log): Promise<void> {
  const lines = await readPidFile(clusterDir)
  if (lines === null) return
  const pid = Number(lines[0])
  const isWhole = Number.isInteger(pid) && pid > 0
  if (isWhole && (isPostmaster(pid, clusterDir) || !isPidTaken(pid))) return
  log('embedded postgres: removing the pid file a dead server left behind', { pid: lines[0] })
  await rm(join(clusterDir, 'postmaster.pid'), { force: true })
}

async function readPidFile(clusterDir: string): Promise<string[] | null> {
  return (await readIfThere(join(clusterDir, 'postmaster.pid')))?.split('\n') ?? null
}

function isPostmaster(pid: number, clusterDir: string): boolean {
  return isProcessAlive(pid) && (processCommand(pid)?.includes(`postgres -D ${clusterDir} -c `) ?? false)
}

type LaunchOptions = Omit<Tools, 'log'> & { clusterDir: string; port: number }

/** In a process session of its own, so that Ctrl-C in the terminal does not end it before the portal stops it. */
export async function launchPostmaster(options: LaunchOptions): Promise<Launch> {
  const { binaries, clusterDir, runAs } = options
  const logFile = join(clusterDir, 'server.log')
  const size = (await stat(logFile).catch(() => null))?.size ?? 0
  await using log = await open(logFile, size > MAX_LOG_BYTES ? 'w' : 'a', 0o600)
  if (runAs.owner !== null) await chown(logFile, runAs.owner.uid, runAs.owner.gid)
  const startsAt = (await log.stat()).size
  const { file, args, ...ids } = runAs.command(binaries.postgres, ['-D', clusterDir, ...settings(options)])
  const child = spawn(file, args, {
    ...ids,
    cwd: '/',
    env: binaries.env,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  child.unref()
  let failure: Error | null = null
  child.once('error', (error) => (failure = error))
  return {
    ended: async () => {
      if (failure !== null) return spawnFault(failure) ?? failure.message
      if (child.exitCode === null && child.signalCode === null) return null
      return (await readFile(logFile, 'utf8')).slice(startsAt).trim() || 'no message in server.log'
    },
  }
}

function settings({ clusterDir, port, durable }: LaunchOptions): string[] {
  const values: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketOf(clusterDir, port) === null ? '' : clusterDir,
    unix_socket_permissions: '0700',
    // Four processes of the portal with their pools, or the many that tests run on one server.
    max_connections: durable ? 100 : 150,
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Failed statements are the portal's to log: here they would carry personal values, and fill the disk one by one.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    ...(durable && { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

export async function stopPostmaster(clusterDir: string, log: Log): Promise<void> {
  const found = await findPostmaster(clusterDir)
  if (found.state !== 'running') return
  // "Fast" ends sessions, rolls back what is open and writes a checkpoint; "immediate" leaves recovery to the next start.
  if (await stopBySignal(found.pid, 'SIGINT', FAST_STOP_MS)) return
  log('embedded postgres does not stop: ending it without a checkpoint', { pid: found.pid })
  if (await stopBySignal(found.pid, 'SIGQUIT', IMMEDIATE_STOP_MS)) return
  throw new SetupProblem(
    `PostgreSQL does not stop (pid ${found.pid}, data in ${clusterDir}): stop it by hand`,
  )
}

async function stopBySignal(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  return waitUntilGone(pid, timeoutMs)
}
