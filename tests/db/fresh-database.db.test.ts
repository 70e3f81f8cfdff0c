import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { freshDatabase } from '#tests/support/postgres.ts'

let databases: FreshDatabase[]
beforeAll(async () => {
  databases = await Promise.all([freshDatabase(), freshDatabase(), freshDatabase()])
})
afterAll(() => Promise.all(databases.map((database) => database.drop())))

async function runSql(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('each database is migrated and its own', async () => {
  const [first, second] = databases
  await runSql(first!.ownerUrl, `INSERT INTO settings (key, value) VALUES ('a-key-of-the-first', '1')`)
  const count = `SELECT count(*)::int AS count FROM settings WHERE key = 'a-key-of-the-first'`
  expect(await runSql(first!.appUrl, count)).toEqual([{ count: 1 }])
  expect(await runSql(second!.appUrl, count)).toEqual([{ count: 0 }])
})

test('the portal works in it as a role that may not change the schema', async () => {
  const { appUrl } = databases[0]!
  await expect(runSql(appUrl, 'CREATE TABLE mine (id int)')).rejects.toThrow('permission denied')
  await expect(runSql(appUrl, 'DROP TABLE settings')).rejects.toThrow('must be owner')
})

test('each database has a role of its own', async () => {
  const [first, second] = databases
  expect(new URL(first!.appUrl).username).not.toBe(new URL(second!.appUrl).username)
})

test('a dropped database takes its role along, even while someone is connected', async () => {
  const database = await freshDatabase()
  const client = new Client({ connectionString: database.appUrl })
  const ended = new Promise((resolve) => client.on('error', resolve))
  await client.connect()
  await database.drop()
  expect(await ended).toBeInstanceOf(Error)
  const role = new URL(database.appUrl).username
  const { ownerUrl } = databases[0]!
  expect(await runSql(ownerUrl, `SELECT rolname FROM pg_roles WHERE rolname = '${role}'`)).toEqual([])
})
