import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './checkout-copy.ts'

/** A title is the first argument of a function that defines a test or a group of tests. */
const TITLE = /\b(?:test|describe)(?:\.each\([^]*?\))?\(\s*(['"`])security row (\d{2}): (?:(?!\1|\n).)+\1/g

/** The rows of docs/security.md, by number, with the proof that a row names in place of tests that bear its number. */
async function documentedRows(): Promise<Map<number, string>> {
  const text = await readFile(join(root, 'docs/security.md'), 'utf8')
  const rows = text.matchAll(/^(\d{1,2})\. .+ \[[\d., –]+\](?:: (.+))?$/gm)
  return new Map(Array.from(rows, ([, row, proof = '']) => [Number(row), proof]))
}

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

test('every row of docs/security.md that names no other proof has a test that is named after it', async () => {
  const rows = await documentedRows()
  const tested = await rowsWithTests()
  expect([...rows.keys()]).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  const held = [...rows].filter(([, proof]) => proof === '').map(([row]) => row)
  expect(held.length).toBeGreaterThanOrEqual(44)
  expect(held.filter((row) => !tested.has(row))).toEqual([])
})

test('every row that a test is named after is in docs/security.md', async () => {
  const rows = await documentedRows()
  for (const row of await rowsWithTests()) expect([...rows.keys()]).toContain(row)
})
