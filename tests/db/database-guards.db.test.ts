import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { readColumns } from '#tests/mutation/database/catalogue.ts'
import { outcomeOf, prepareAttempts } from '#tests/mutation/database/guard.ts'
import { listDatabaseGuards } from '#tests/mutation/database/index.ts'
import { freshDatabase } from '#tests/support/postgres.ts'

/*
 * What each guard of the database forbids, attempted: constraints, references, triggers, rights, and the conditions of
 * its functions. `npm run mutation` runs these tests with each guard removed, and then every one of them has to fail.
 */
const areRemoved = process.env.GUARDS_REMOVED === '1'

const database = await freshDatabase()
const owner = new Client({ connectionString: database.ownerUrl })
await owner.connect()
await prepareAttempts(owner)
const guards = await listDatabaseGuards(owner)
const tables = Object.keys(await readColumns(owner))

afterAll(async () => {
  await owner.end()
  await database.drop()
})

test.runIf(!areRemoved)('each table has a row to attack (world.sql)', async () => {
  const empty: string[] = []
  for (const table of tables) {
    const { rowCount } = await owner.query(`SELECT FROM ${table} LIMIT 1`)
    if (rowCount === 0) empty.push(table)
  }
  expect(empty).toEqual([])
})

test.for(guards)('$name', async (guard) => {
  expect(await outcomeOf(owner, guard, areRemoved)).toBe(guard.refusal)
})
