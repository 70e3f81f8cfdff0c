import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
