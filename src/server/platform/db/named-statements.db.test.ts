import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { openLog } from '../log/log.ts'
import type { Db } from './database.ts'
import { asOwner } from './owner.ts'

let fresh: FreshDatabase
let db: Db
let inTransaction: typeof import('./transaction.ts').inTransaction
beforeAll(async () => {
  fresh = await freshDatabase()
  // A process gives two hundred names; those of this one are used up by the tests before.
  vi.resetModules()
  const { openDatabase } = await import('./database.ts')
  inTransaction = (await import('./transaction.ts')).inTransaction
  db = openDatabase({ url: fresh.appUrl, log: openLog('fatal'), connectionsMax: 1 })
})
afterAll(async () => {
  await db.destroy()
  await fresh.drop()
})

/** What the server of the pool's connection keeps. */
async function keptOn(pool: Db): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(
    pool,
  )
  return rows.map(({ statement }) => statement)
}

async function often(act: (time: number) => Promise<unknown>): Promise<void> {
  for (let time = 0; time < 20; time++) await act(time)
}

describe('a statement that is sent often', () => {
  test('is kept by the server, and one that is sent seldom is not', async () => {
    await sql`SELECT ${1}::int AS seldom`.execute(db)
    await often((time) => sql`SELECT ${time}::int AS often`.execute(db))
    const { rows } = await sql<{ often: number }>`SELECT ${7}::int AS often`.execute(db)
    expect(rows).toEqual([{ often: 7 }])
    expect(await keptOn(db)).toEqual(['SELECT $1::int AS often'])
  })

  test('is not kept where a star may come to stand for other columns', async () => {
    await often(() => db.selectFrom('servers').selectAll().where('id', '=', 'none').execute())
    expect((await keptOn(db)).filter((statement) => statement.includes('servers'))).toEqual([])
  })

  test('is not kept where it searches for a pattern', async () => {
    await often((time) =>
      db.selectFrom('servers').select('id').where('name', 'ilike', `%máy ${time}%`).execute(),
    )
    await often((time) => sql`SELECT id FROM servers WHERE id ~ ${`^s${time}$`}`.execute(db))
    expect((await keptOn(db)).filter((statement) => statement.includes('servers'))).toEqual([])
  })

  test('is prepared anew after a migration changed its columns', async () => {
    const change = (text: string) => asOwner(fresh.ownerUrl, (client) => client.query(text))
    await change('CREATE TABLE changing (id int, word int); GRANT SELECT ON changing TO PUBLIC')
    const read = () =>
      inTransaction(
        db,
        async (tx) => (await sql`SELECT word FROM changing WHERE id = ${1}::int`.execute(tx)).rows,
      )
    await often(read)
    await change(`ALTER TABLE changing ALTER word TYPE text; INSERT INTO changing VALUES (1, 'một')`)
    expect(await read()).toEqual([{ word: 'một' }])
  })
})
