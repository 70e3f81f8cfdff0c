import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { JOURNAL_FILE, openJournal, type JournalRow } from './journal.ts'

let dataDir: string
let file: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-journal-'))
  file = join(dataDir, JOURNAL_FILE)
})
afterEach(() => rm(dataDir, { recursive: true }))

const row = (id: string): JournalRow => ({ id, status: 'cancelled' })

async function rowsOnStart(): Promise<string[]> {
  const replayed: string[] = []
  await (await openJournal(dataDir, ({ id }) => replayed.push(id))).close()
  return replayed
}

test('rows are on the disk, in their order, before anybody is told', async () => {
  const journal = await openJournal(dataDir, () => {})
  const ids = Array.from({ length: 50 }, (_, index) => `d${index}`)
  await Promise.all(
    ids.map(async (id) => {
      await journal.append(row(id))
      expect(await readFile(file, 'utf8')).toContain(`"${id}"`)
    }),
  )
  await journal.close()
  expect(await rowsOnStart()).toEqual(ids)
})

test('half a line at the end was never answered: it is cut off, and the next line stands by itself', async () => {
  await writeFile(file, `${JSON.stringify(row('whole'))}\n{"id":"ha`)
  const journal = await openJournal(dataDir, () => {})
  await journal.append(row('next'))
  await journal.close()
  expect(await rowsOnStart()).toEqual(['whole', 'next'])
})

test('a line that cannot be read stops the start, and the place is free again', async () => {
  await writeFile(file, `{"id":"ha\n${JSON.stringify(row('whole'))}\n`)
  await expect(rowsOnStart()).rejects.toThrow(/line 1 of .*cannot be read/)
  await writeFile(file, '')
  expect(await rowsOnStart()).toEqual([])
})

test('two games never share a journal, but a dead one’s lock is nobody’s', async () => {
  const journal = await openJournal(dataDir, () => {})
  await expect(rowsOnStart()).rejects.toThrow('already uses')
  await journal.close()
  await appendFile(join(dataDir, 'lock'), '4194303')
  expect(await rowsOnStart()).toEqual([])
})
