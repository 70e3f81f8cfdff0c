import { mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureLibraryLinks } from './binaries.ts'

const links = [
  { source: 'native/lib/libink.so.6.18', target: 'native/lib/libink.so.6' },
  { source: 'native/lib/libink.so.6.18', target: 'native/lib/libink.so' },
]

let dir: string
let packageDir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'binaries-'))
  packageDir = join(dir, 'package')
  await mkdir(join(packageDir, 'native', 'lib'), { recursive: true })
  await writeFile(join(packageDir, 'native/lib/libink.so.6.18'), 'ink')
  await writeFile(join(packageDir, 'native/pg-symlinks.json'), JSON.stringify(links))
})
afterEach(() => rm(dir, { recursive: true }))

test('missing library links are made beside the libraries, by many starts at once', async () => {
  const starts = [1, 2, 3, 4].map(() => ensureLibraryLinks(packageDir, join(dir, 'own')))
  expect(await Promise.all(starts)).toEqual([null, null, null, null])
  for (const { target } of links) {
    expect(await readFile(join(packageDir, target), 'utf8')).toBe('ink')
    expect(await readlink(join(packageDir, target))).toBe('libink.so.6.18')
  }
})

test('links that are there already are not touched', async () => {
  await symlink('elsewhere', join(packageDir, 'native/lib/libink.so'))
  expect(await ensureLibraryLinks(packageDir, join(dir, 'own'))).toBeNull()
  expect(await readlink(join(packageDir, 'native/lib/libink.so'))).toBe('elsewhere')
  expect(await readFile(join(packageDir, 'native/lib/libink.so.6'), 'utf8')).toBe('ink')
})

test('a package without a list of links needs none', async () => {
  await rm(join(packageDir, 'native/pg-symlinks.json'))
  expect(await ensureLibraryLinks(packageDir, join(dir, 'own'))).toBeNull()
})
