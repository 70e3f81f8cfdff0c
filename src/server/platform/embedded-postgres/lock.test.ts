import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lock-'))
})
afterEach(() => rm(dir, { recursive: true }))

test('what runs under one lock never overlaps', async () => {
  let inside = 0
  let most = 0
  const act = async () => {
    inside += 1
    most = Math.max(most, inside)
    await sleep(30)
    inside -= 1
  }
  await Promise.all([1, 2, 3].map(() => withLock(join(dir, 'lock'), 5_000, act)))
  expect(most).toBe(1)
})

test('a lock is free again after what ran under it failed', async () => {
  const file = join(dir, 'lock')
  await expect(withLock(file, 100, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(withLock(file, 100, () => Promise.resolve('done'))).resolves.toBe('done')
})

test('waiting for a lock ends with a reason that names it', async () => {
  const file = join(dir, 'lock')
  await withLock(file, 100, async () => {
    await expect(withLock(file, 60, () => Promise.resolve('never'))).rejects.toThrow(file)
  })
})
