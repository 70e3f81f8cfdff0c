import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '#tests/support/processes.ts'
import { postmasterOf } from './resources.ts'

/** kill -9, or another signal, of a process that may have ended already. */
export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** kill -9 of a process first and of its children then, so that it can neither tidy up nor start them again. */
export async function killTree(parent: number): Promise<void> {
  const children = await childrenOf(parent)
  kill(parent)
  for (const child of children) kill(child)
  while (existsSync(`/proc/${parent}`)) await sleep(10)
}

/** kill -9 of the PostgreSQL in this folder. */
export async function killPostmaster(clusterDir: string): Promise<void> {
  await killTree(await postmasterOf(clusterDir))
}

/** kill -9 of the embedded PostgreSQL below `dataDir`. */
export const killPostgres = (dataDir: string): Promise<void> => killPostmaster(join(dataDir, 'postgres'))

/** PostgreSQL with its log of changes and a demo takes half of it. */
const SIZE = '400m'
const FILLER = 'filler'
const PIECE = Buffer.alloc(1024 * 1024)

const mount = (place: string, size = SIZE) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place], { stdio: 'ignore' })
const unmount = (place: string) => void execFileSync('umount', ['-l', place])

/** Whether this user may mount a small file system; without one there is no disk to fill. */
export function mayMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'cong-ninja-disk-'))
  try {
    mount(place)
    unmount(place)
    return true
  } catch {
    return false
  } finally {
    rmdirSync(place)
  }
}

/** A small file system at this folder; returns what takes it away again. */
export async function openDisk(place: string, size = SIZE): Promise<() => Promise<void>> {
  mount(place, size)
  return async () => unmount(place)
}

/** Fills the file system until nothing fits in any more. */
export async function fillDisk(place: string): Promise<void> {
  const file = await open(join(place, FILLER), 'a')
  try {
    for (let piece = PIECE; piece.length > 0;) {
      try {
        await file.appendFile(piece)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        piece = piece.subarray(0, Math.floor(piece.length / 2))
      }
    }
  } finally {
    await file.close()
  }
}

export const emptyDisk = (place: string) => rm(join(place, FILLER), { force: true })

const LIBRARIES = '/usr/lib'
const NAME = 'faketime/libfaketimeMT.so.1'

/** Null where Debian's package libfaketime is not installed. */
function findFaketime(): string | null {
  if (process.platform !== 'linux') return null
  const folders = [LIBRARIES, ...readdirSync(LIBRARIES).map((name) => join(LIBRARIES, name))]
  return folders.map((folder) => join(folder, NAME)).find((file) => existsSync(file)) ?? null
}

/** A sentence where clocks cannot be moved. */
export const clockProblem = () =>
  findFaketime() === null
    ? 'clocks are moved with libfaketime, which is not installed: apt install libfaketime'
    : null

/** Processes with this environment read from the file by how many seconds their clock is wrong. Timers stay right. */
export async function clockEnvironment(
  folder: string,
): Promise<{ file: string; environment: Record<string, string> }> {
  const library = findFaketime()
  if (library === null) throw new Error(clockProblem() ?? '')
  const file = join(folder, 'clock')
  await setClock(file, 0)
  return {
    file,
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  }
}

export const setClock = (file: string, aheadSeconds: number) =>
  writeFile(file, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}s\n`)
