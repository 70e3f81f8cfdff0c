import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './checkout-copy.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** The rows of the security checklist that the portal meets today, each by a test that is named after it. */
const ROWS = [...range(1, 22), ...range(25, 31), ...range(33, 38), ...range(42, 45), ...range(47, 49)]

/** Titles stand at the beginning of a text, right behind the name of the function that makes a test or a group of them. */
const TITLE = /\b(?:test|describe)(?:\.each\([^]*?\))?\(\s*(['"`])security row (\d{2}): (?:(?!\1|\n).)+\1/g

async function testFiles(): Promise<string[]> {
  const folders = ['tests', 'src']
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((file) => join(folder, file)),
    ),
  )
  return files.flat().filter((file) => /\.(?:test|e2e)\.tsx?$/.test(file))
}

async function rowsWithTests(): Promise<Set<number>> {
  const rows = new Set<number>()
  for (const file of await testFiles()) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, , row] of text.matchAll(TITLE)) rows.add(Number(row))
  }
  return rows
}

test('every row of the security checklist has a test that is named after it', async () => {
  const tested = await rowsWithTests()
  expect(ROWS.filter((row) => !tested.has(row))).toEqual([])
})

test('no test is named after a row that there is not', async () => {
  for (const row of await rowsWithTests()) expect(row).toBeLessThanOrEqual(50)
})
