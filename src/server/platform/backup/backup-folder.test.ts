import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileOf, keepNewest, newestIn } from './backup-folder.ts'

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 3, 15, 0, 123))

async function aFolder(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-backups-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of names) await writeFile(join(folder, name), '')
  return folder
}

test('the newest so many backups are kept, and nothing else in the folder is removed', async () => {
  const names = [3, 1, 2].map((day) => basename(fileOf('/', at(day))))
  expect(names[0]).toBe('cong-ninja-20261103T031500Z.backup')
  const folder = await aFolder(...names, 'before-the-upgrade', 'cong-ninja-20261101T031500Z.backup.age')
  expect(await newestIn(folder)).toBe(join(folder, names[0] as string))
  expect(await keepNewest(folder, 2, at(3))).toBe(2)
  const left = [
    ...names.filter((name) => !name.includes('1101')),
    'before-the-upgrade',
    'cong-ninja-20261101T031500Z.backup.age',
  ]
  expect(await readdir(folder)).toEqual(left.toSorted())
})

test('what a killed backup left is removed a day later', async () => {
  const [young, old] = [2, 1].map((day) => `${basename(fileOf('/', at(day)))}.part`) as [string, string]
  const folder = await aFolder(young, old)
  await utimes(join(folder, old), at(1), at(1))
  await utimes(join(folder, young), at(2), at(2))
  await keepNewest(folder, 14, at(3))
  expect(await readdir(folder)).toEqual([young])
})

test('a folder without a backup, or that cannot be read, is named', async () => {
  const folder = await aFolder('before-the-upgrade')
  await expect(newestIn(folder)).rejects.toThrow(
    `${folder} holds no backup: systemctl start portal-backup makes one`,
  )
  await expect(newestIn(join(folder, 'none'))).rejects.toThrow(
    'none cannot be read (ENOENT): give the folder',
  )
})
