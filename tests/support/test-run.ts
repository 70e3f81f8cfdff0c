import { readFileSync, statfsSync } from 'node:fs'

/** `npm run test:all`: every case of tests that otherwise take every nth of them. */
export const hasAllCases = process.env.ALL_CASES === '1'

/** Every nth of the cases, beginning with the given one; tests that begin elsewhere share the cases among them. */
export function everyNth<T>(cases: readonly T[], n: number, from = 0): readonly T[] {
  return hasAllCases ? cases : cases.filter((_, index) => index % n === from % n)
}

/** Three times what the databases and browsers of `npm test` have there at once. */
const BYTES_MIN = 4 * 2 ** 30

type Machine = {
  /** As in /proc/mounts. */
  mounts: string
  bytesFree(folder: string): number
  /** For all programs, its own limit considered. */
  memoryFree: number
}

/**
 * The system's folder in memory, where it has one with enough room. A database has a thousand files: to make one there takes
 * a sixth of the CPU time that it takes on a disk. Files there do not have to survive a crash.
 */
export function folderInMemory({ mounts, bytesFree, memoryFree }: Machine): string | null {
  const [, folder, type, options = ''] =
    mounts
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, at]) => at === '/dev/shm') ?? []
  if (folder === undefined || type !== 'tmpfs') return null
  // Some tests write programs and run them.
  if (options.split(',').some((option) => option === 'noexec' || option === 'ro')) return null
  return Math.min(bytesFree(folder), memoryFree) < BYTES_MIN ? null : folder
}

/** From here on the temporary files of this process and of those it starts are in memory, unless TMPDIR is set. */
export function keepFilesInMemory(environment: NodeJS.ProcessEnv = process.env): void {
  if (process.platform !== 'linux' || environment.TMPDIR) return
  const folder = folderInMemory({
    mounts: readFileSync('/proc/mounts', 'utf8'),
    bytesFree: (at) => {
      const { bavail, bsize } = statfsSync(at)
      return bavail * bsize
    },
    memoryFree: process.availableMemory(),
  })
  if (folder !== null) environment.TMPDIR = folder
}
