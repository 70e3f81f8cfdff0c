import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countLivingUses, register, unregister } from './registrations.ts'

let dataDir: string
let runDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'registrations-'))
  runDir = join(dataDir, 'run')
})
afterEach(() => rm(dataDir, { recursive: true }))

test('one process may use the server twice, and each use ends separately', async () => {
  const first = await register(runDir)
  const second = await register(runDir)
  expect(await countLivingUses(runDir)).toBe(2)
  await unregister(first)
  expect(await countLivingUses(runDir)).toBe(1)
  await unregister(second)
  expect(await countLivingUses(runDir)).toBe(0)
})

test('a process that has ended is no user, and its registration is removed', async () => {
  const own = await register(runDir)
  const { pid } = spawnSync(process.execPath, ['--version'])
  await writeFile(join(runDir, `${pid}-0123abcd`), 'whenever')
  expect(await countLivingUses(runDir)).toBe(1)
  expect((await readdir(runDir)).map((name) => join(runDir, name))).toEqual([own])
})

test('another program with the pid of an ended user is no user', async () => {
  await register(runDir)
  // This process has the pid, but it did not start at the registered time.
  await writeFile(join(runDir, `${process.pid}-0123abcd`), 'another-boot:1')
  expect(await countLivingUses(runDir)).toBe(1)
})

test('files that are no registrations are left alone', async () => {
  await register(runDir)
  await writeFile(join(runDir, 'notes.txt'), 'hello')
  expect(await countLivingUses(runDir)).toBe(1)
  expect(await readdir(runDir)).toContain('notes.txt')
})
