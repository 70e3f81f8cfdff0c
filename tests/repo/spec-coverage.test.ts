import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '#contract/pages.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { root } from './checkout-copy.ts'

type Row = { what: string; holders: string; proofs: string }

async function readRows(): Promise<Row[]> {
  const text = await readFile(join(root, 'docs/spec-coverage.md'), 'utf8')
  const lines = text.split('\n').filter((line) => line.startsWith('- '))
  return lines.map((line) => {
    const [what = '', holders = '', proofs = ''] = line.slice(2).split('; ')
    return { what, holders, proofs }
  })
}

const named = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '')

test('every row names a file and a test', async () => {
  const rows = await readRows()
  expect(rows.length).toBeGreaterThan(150)
  expect(new Set(rows.map(({ what }) => what)).size).toBe(rows.length)
  for (const { what, holders, proofs } of rows) {
    expect(what).not.toBe('')
    for (const cell of [holders, proofs]) {
      expect(named(cell).length, `${what}: ${cell}`).toBeGreaterThan(0)
    }
  }
})

test('every file that is named exists, and the last ones are tests', async () => {
  const problems: string[] = []
  for (const { what, holders, proofs } of await readRows()) {
    for (const file of [...named(holders), ...named(proofs)]) {
      if (!existsSync(join(root, file))) problems.push(`${what}: there is no ${file}`)
    }
    for (const file of named(proofs)) {
      if (!/\.(test|e2e)\.ts$/.test(file)) problems.push(`${what}: ${file} holds no tests`)
    }
  }
  expect(problems).toEqual([])
})

test('every route of the portal has its row', async () => {
  const routes = Object.values(pages).map(({ path }) => `\`${path}\``)
  const rows = (await readRows()).map(({ what }) => what)
  expect(routes.length).toBeGreaterThan(10)
  const listed = routes.filter((route) => rows.some((what) => what.startsWith(route)))
  expect(
    listProblems({ found: routes, listed }, 'docs/spec-coverage.md: - `/route`; `file`; `test`'),
  ).toEqual([])
})

test('every section of the specification that the code cites is in docs/spec.md', async () => {
  const text = await readFile(join(root, 'docs/spec.md'), 'utf8')
  const sections = Array.from(text.matchAll(/^## (\d)\. /gm), ([, section]) => section)
  expect(sections).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  for (const folder of ['src', 'tests', 'seeds', 'scripts']) {
    for (const file of await readdir(join(root, folder), { recursive: true })) {
      if (!/\.(ts|tsx|css)$/.test(file)) continue
      const code = await readFile(join(root, folder, file), 'utf8')
      for (const [, section] of code.matchAll(/§(\d+)/g)) expect(sections, file).toContain(section)
    }
  }
})
