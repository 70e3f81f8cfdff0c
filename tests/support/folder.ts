import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A folder of a test file, there for its tests and the hooks that follow, and removed after them. */
export function useFolder(): string {
  const folder = join(tmpdir(), `cong-ninja-${randomBytes(4).toString('hex')}`)
  beforeAll(() => mkdir(folder, { mode: 0o700 }))
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
