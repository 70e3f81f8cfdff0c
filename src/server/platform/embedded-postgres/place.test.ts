import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureLibraryLinks, spawnFault } from './binaries.ts'
import { countLivingUses, register, unregister, withLock } from './place.ts'
import { socketOf } from './postmaster.ts'

let dir: string
let runDir: string
let packageDir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'embedded-postgres-'))
  runDir = join(dir, 'run')
  packageDir = join(dir, 'package')
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

test('a user whose /proc shows another id of the boot is a user', async () => {
  const own = await register(runDir)
  await writeFile(join(runDir, `${process.pid}-0123abcd`), `another-boot:${await readFile(own, 'utf8')}`)
  expect(await countLivingUses(runDir)).toBe(2)
})

test('files that are no registrations are left alone', async () => {
  await register(runDir)
  await writeFile(join(runDir, 'notes.txt'), 'hello')
  expect(await countLivingUses(runDir)).toBe(1)
  expect(await readdir(runDir)).toContain('notes.txt')
})

const links = [
  { source: 'native/lib/libink.so.6.18', target: 'native/lib/libink.so.6' },
  { source: 'native/lib/libink.so.6.18', target: 'native/lib/libink.so' },
]

async function makePackage(): Promise<void> {
  await mkdir(join(packageDir, 'native', 'lib'), { recursive: true })
  await writeFile(join(packageDir, 'native/lib/libink.so.6.18'), 'ink')
  await writeFile(join(packageDir, 'native/pg-symlinks.json'), JSON.stringify(links))
}

test('missing library links are made beside the libraries, by many starts at once', async () => {
  await makePackage()
  const starts = [1, 2, 3, 4].map(() => ensureLibraryLinks(packageDir, join(dir, 'own')))
  expect(await Promise.all(starts)).toEqual([null, null, null, null])
  for (const { target } of links) {
    expect(await readFile(join(packageDir, target), 'utf8')).toBe('ink')
    expect(await readlink(join(packageDir, target))).toBe('libink.so.6.18')
  }
})

test('links that are there already are not touched', async () => {
  await makePackage()
  await symlink('elsewhere', join(packageDir, 'native/lib/libink.so'))
  expect(await ensureLibraryLinks(packageDir, join(dir, 'own'))).toBeNull()
  expect(await readlink(join(packageDir, 'native/lib/libink.so'))).toBe('elsewhere')
  expect(await readFile(join(packageDir, 'native/lib/libink.so.6'), 'utf8')).toBe('ink')
})

test('a package without a list of links needs none', async () => {
  await makePackage()
  await rm(join(packageDir, 'native/pg-symlinks.json'))
  expect(await ensureLibraryLinks(packageDir, join(dir, 'own'))).toBeNull()
})

test('a program that this machine cannot run is told with what to do, one that ran and failed is not', async () => {
  const closed = join(dir, 'initdb')
  await writeFile(closed, 'for others', { mode: 0o644 })
  for (const [file, code] of [
    [closed, 'EACCES'],
    [join(dir, 'nowhere'), 'ENOENT'],
  ] as const)
    expect(spawnFault(spawnSync(file).error)).toMatch(
      new RegExp(`^its program cannot be run here \\(${code}\\): run npm ci on this very machine`),
    )
  expect(spawnFault(new Error('initdb: error: could not create directory'))).toBeNull()
})

test('a server is listened for at a socket in its directory, where the system and PostgreSQL can take the path', () => {
  expect(socketOf('/srv/data/postgres', 20_001)).toBe('/srv/data/postgres/.s.PGSQL.20001')
  const longest = `/${'a'.repeat(87)}`
  expect(socketOf(longest, 20_001)).toBe(`${longest}/.s.PGSQL.20001`)
  expect(socketOf(`${longest}a`, 20_001)).toBeNull()
  // 85 letters of two bytes each, a comma between two directories, a quoted name.
  for (const clusterDir of [`/${'đ'.repeat(85)}`, '/srv/a,b', '/srv/"a"']) {
    expect(socketOf(clusterDir, 20_001)).toBeNull()
  }
})
