import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

test('rows are on disk, in order, before they are answered', async () => {
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

test('an incomplete line at the end was never answered: it is cut off, and the next line is complete', async () => {
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

test('two games never share a journal', async () => {
  const journal = await openJournal(dataDir, () => {})
  await expect(rowsOnStart()).rejects.toThrow('already uses')
  await journal.close()
  expect(await rowsOnStart()).toEqual([])
})

/** When a process began, as the lock notes it. */
const birthOf = async (pid: number) => (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')[21]

test('the lock of a game in another running process is respected', async () => {
  const { ppid } = process
  await writeFile(join(dataDir, 'lock'), `${ppid} ${await birthOf(ppid)}`)
  await expect(rowsOnStart()).rejects.toThrow(`process ${ppid} already uses`)
})

test('the lock of a killed game is free: also while it is a zombie, or when another process has its pid', async () => {
  // The shell becomes a program that never reaps its child.
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'])
  try {
    const [output] = (await once(parent.stdout, 'data')) as [Buffer]
    const unburied = Number(output.toString())
    await expect.poll(() => readFile(`/proc/${unburied}/stat`, 'utf8')).toContain(') Z ')
    for (const left of ['4194303 1', `${process.ppid} 1`, `${unburied} ${await birthOf(unburied)}`]) {
      await writeFile(join(dataDir, 'lock'), left)
      expect(await rowsOnStart()).toEqual([])
    }
  } finally {
    parent.kill()
  }
})
