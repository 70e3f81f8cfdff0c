import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenOrphaned } from '#server/start/shutdown.ts'
import { keepFilesInMemory } from '#tests/support/test-run.ts'

/** Names the folder of a run in the environment of every process that it starts, which are found by it on Linux. */
const MARK = 'CONG_NINJA_TEST_RUN'
/** Short: Chromium makes a socket below it, whose path may have 107 characters. */
const PREFIX = 'ninja-run-'
/** File in the folder of a run with the id of its process. */
const OWNER = 'owner.json'

const TERM_MS = 3_000
const POSTGRES_QUIT_MS = 8_000
const POSTGRES_KILL_MS = 12_000

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * Does `work` with a folder of its own for all temporary files. When the run is over, or is ended by a signal or with the
 * npm that started it, every process that it started is ended too (tests, portals, PostgreSQL, Chromium) and the folder is
 * removed. A run that was killed with SIGKILL is cleaned up by the next one. A run inside another one is part of that.
 * On Linux; elsewhere processes cannot be found by what they were given.
 */
export async function inTestRun(work: () => Promise<void>): Promise<void> {
  if (process.platform !== 'linux' || process.env[MARK] !== undefined) return work()
  keepFilesInMemory()
  await removeAbandonedRuns(tmpdir())
  const folder = await mkdtemp(join(tmpdir(), PREFIX))
  // Some tests are other users inside.
  await chmod(folder, 0o755)
  await writeFile(
    join(folder, OWNER),
    JSON.stringify({ pid: process.pid, started: await startOf(process.pid) }),
  )
  Object.assign(process.env, { [MARK]: folder, TMPDIR: folder })
  let ending: Promise<void> | null = null
  const end = () => (ending ??= removeRun(folder))
  const endWith = (code: number) => void end().finally(() => process.exit(code))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => endWith(EXIT_CODES[signal]))
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => endWith(EXIT_CODES.SIGTERM))
  try {
    await work()
  } finally {
    await end()
  }
}

/** Removes what runs left whose process was killed. */
async function removeAbandonedRuns(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith(PREFIX)) continue
    const folder = join(place, name)
    try {
      const { pid, started } = JSON.parse(await readFile(join(folder, OWNER), 'utf8')) as {
        pid: number
        started: string | null
      }
      if (started !== null && (await startOf(pid)) !== started) await removeRun(folder)
    } catch {
      // Just made or just removed, or another user's.
    }
  }
}

/** When the process started, in the clock ticks of Linux; null when it does not run. Ids are used again, with another one. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? null : (fields[18] ?? null)
}

async function removeRun(folder: string): Promise<void> {
  await endProcesses(folder)
  for (const place of await mountsBelow(folder)) execFileSync('umount', ['-l', place])
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function mountsBelow(folder: string): Promise<string[]> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const places = mounts.split('\n').map((line) => line.split(' ')[1] ?? '')
  return places.filter((place) => place.startsWith(`${folder}/`)).toReversed()
}

type Found = { pid: number; isPostgres: boolean }

/** PostgreSQL gets a signal to stop, so that it gives its shared memory back; what does not stop is killed. */
async function endProcesses(folder: string): Promise<void> {
  const sent = new Map<number, NodeJS.Signals>()
  for (const began = performance.now(); ; await sleep(100)) {
    const left = await processesOf(folder)
    if (left.length === 0) return
    const ms = performance.now() - began
    for (const { pid, isPostgres } of left) {
      const signal = isPostgres ? signalForPostgres(ms) : ms < TERM_MS ? 'SIGTERM' : 'SIGKILL'
      if (sent.get(pid) === signal) continue
      sent.set(pid, signal)
      try {
        process.kill(pid, signal)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }
}

const signalForPostgres = (ms: number) =>
  ms < POSTGRES_QUIT_MS ? 'SIGINT' : ms < POSTGRES_KILL_MS ? 'SIGQUIT' : 'SIGKILL'

/** Those with the mark, and those whose command line names something in the folder, such as PostgreSQL's data. */
async function processesOf(folder: string): Promise<Found[]> {
  const names = await readdir('/proc').catch(() => [])
  const found = names.map(async (name): Promise<Found[]> => {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) return []
    const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')
    const [environment, command] = await Promise.all([read('environ'), read('cmdline')])
    // A zombie has neither.
    const isOfRun = environment.split('\0').includes(`${MARK}=${folder}`) || command.includes(`${folder}/`)
    return isOfRun ? [{ pid, isPostgres: /^(\S*\/)?postgres\b/.test(command) }] : []
  })
  return (await Promise.all(found)).flat()
}
