import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readNewNames, writeRenames } from './new-names.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'names-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function aFile(text: string | Buffer): Promise<string> {
  const file = join(folder, 'names.csv')
  await writeFile(file, text)
  return file
}

const book = utils.book_new(
  utils.aoa_to_sheet([
    ['key', 'new_name'],
    [7, 'bonk7'],
    ['8', ''],
  ]),
)

test.each<[string, string | Buffer]>([
  ['a workbook', write(book, { type: 'buffer' }) as Buffer],
  ['a report', '\ufeffkey,name,next,new_name\r\n7,x,"a, ""b""",bonk7\r\n8,y,,\r\n'],
  ['what Excel saves in Vietnam', 'key;name;next;new_name\n7;x;"a;\nb";bonk7\n8;y;;\n\n'],
  ['a short file without an end of line', "new_name\tkey\nbonk7\t'7"],
])('new names are read from %s', async (_, text) => {
  expect(await readNewNames(await aFile(text))).toEqual(new Map([['7', 'bonk7']]))
})

test.each([
  ['no titles', '7,bonk7\n', 'key and new_name'],
  ['a key that occurs twice', 'key,new_name\n7,bonk7\n7,bonk8\n', 'the key 7 twice'],
])('%s is said', async (_, text, problem) => {
  await expect(readNewNames(await aFile(text))).rejects.toThrow(problem)
})

test('a file that is not there is said', async () => {
  await expect(readNewNames(join(folder, 'none.csv'))).rejects.toThrow('cannot be read (ENOENT)')
})

test('the statements for the game hold keys and names as text', async () => {
  const file = join(folder, 'names.sql')
  await writeRenames(file, { table: 'acc`s', id: 'id', name: 'user' }, new Map([["k'\\7", 'bonk7']]))
  expect(await readFile(file, 'utf8')).toBe(
    "SET NAMES utf8mb4;\nUPDATE `acc``s` SET `user` = 'bonk7' WHERE `id` = 'k''\\\\7';\n",
  )
})
