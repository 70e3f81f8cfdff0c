import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GROWING, NOT_GROWING, retentionDocument } from '#scripts/retention.ts'
import { readMigrations } from '#server/platform/db/migration-files.ts'
import { OLD_ROWS } from '../torture/retention/old-rows.ts'
import { root } from './checkout-copy.ts'

/** The tables that baseline and migrations leave behind, and the one in which they are noted. */
async function tablesOfSchema(): Promise<string[]> {
  const tables = new Set(['schema_migration'])
  for (const { sql } of await readMigrations()) {
    for (const [, act, table = ''] of sql.matchAll(
      /^(CREATE|DROP) TABLE (?:IF (?:NOT )?EXISTS )?([a-z_][a-z_.]*)/gm,
    )) {
      if (act === 'CREATE') tables.add(table)
      else tables.delete(table)
    }
  }
  return [...tables].sort()
}

async function loopNames(): Promise<Set<string>> {
  const files = await readdir(join(root, 'src/server'), { recursive: true })
  const texts = await Promise.all(
    files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFile(join(root, 'src/server', file), 'utf8')),
  )
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\b(?:name:|JOB =) '([^']+)'/g)].map(([, name]) => name ?? '')),
  )
}

test('every table is in the retention table or among those that do not grow, once', async () => {
  const listed = [
    ...GROWING.flatMap(({ tables }) => tables),
    ...Object.values(NOT_GROWING).flatMap((names) => names.split(' ')),
  ]
  const tables = await tablesOfSchema()
  expect(tables.length).toBeGreaterThan(70)
  expect(listed.toSorted()).toEqual(tables)
})

test('every job of the retention table is a loop of the worker', async () => {
  const loops = await loopNames()
  const jobs = GROWING.flatMap(({ job }) => job ?? [])
  expect(jobs.length).toBeGreaterThan(10)
  expect(jobs.filter((job) => !loops.has(job))).toEqual([])
})

test('every table that a job cleans up gets old rows in the test of the jobs (tests/torture/retention)', () => {
  const growing = GROWING.flatMap(({ tables, job }) => (job === null ? [] : tables))
  expect(Object.keys(OLD_ROWS).toSorted()).toEqual(growing.toSorted())
})

test('docs/retention.md matches the table (npm run retention)', async () => {
  expect(await readFile(join(root, 'docs/retention.md'), 'utf8')).toBe(retentionDocument())
})
