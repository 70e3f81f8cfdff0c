import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const LIBRARIES = '/usr/lib'
const NAME = 'faketime/libfaketimeMT.so.1'

/** Null where Debian's package libfaketime is not installed. */
export function findFaketime(): string | null {
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
  if (library === null) throw new Error('clocks are moved with libfaketime: apt install libfaketime')
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
