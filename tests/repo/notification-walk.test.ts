import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './checkout-copy.ts'

const read = (file: string) => readFile(join(root, file), 'utf8')

async function walk(): Promise<string[]> {
  return [...(await read('docs/walk-sepay.md')).matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file ?? '')
}

const moduleOf = (file: string) => /modules\/([\w-]+)/.exec(file)?.[1] ?? file
const modulesIn = (text: string) =>
  [...text.matchAll(/'#server\/(modules\/[\w-]+)/g)].map(([, at]) => moduleOf(at ?? ''))

test('the walk of a notification names files that exist, in at most seven modules', async () => {
  const files = await walk()
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) expect((await read(file)).length, file).toBeGreaterThan(0)
  expect(new Set(files.map(moduleOf)).size).toBeLessThanOrEqual(7)
})

test('it leaves out no module that its files use, and nothing on it goes back into bank-inbox', async () => {
  const files = await walk()
  const named = new Set(files.map(moduleOf))
  const problems: string[] = []
  for (const file of files) {
    const isInbox = moduleOf(file) === 'bank-inbox'
    const wrong = modulesIn(await read(file)).filter((used) =>
      isInbox ? !named.has(used) : used === 'bank-inbox',
    )
    problems.push(...wrong.map((used) => `${file} uses ${used}`))
  }
  expect(problems).toEqual([])
})
