import { createConnection, type Connection } from 'mysql2/promise'
import type { TestMysql, TestMysqlDatabase } from '#tests/support/mysql.ts'
import type { Purse } from '#tests/support/stand-in-collector.ts'

/** What `detect` has to say of a schema. */
export type Expected = {
  preset: 'json-list' | 'by-key' | 'one-row'
  luong: 'account' | 'character'
  accounts: Record<string, unknown>
  characters: Record<string, unknown>
  /** Sentences, by a part of each. */
  says?: string[]
}

export type GameSchema = {
  name: string
  /** A file of deploy/game that is written for these tables. */
  example?: string
  /** Makes tables and rows. `other` is a second database of the same server that the account may read. */
  fill(make: Make): Promise<void>
  expected: Expected
  /** None of a schema without a character to give to. */
  purse: Purse | null
}

/** `{other}` in statements is the second database. */
export type Make = {
  run(...statements: string[]): Promise<void>
  rows(into: string, rows: Iterable<readonly unknown[]>): Promise<void>
  /** How many accounts. */
  accounts: number
}

export const TEST_NAME = 'thunghiem'
const BATCH = 5_000

/** A database in this shape. */
export async function makeSchema(
  mysql: TestMysql,
  schema: GameSchema,
  { accounts, other: named }: { accounts: number; other?: string },
): Promise<TestMysqlDatabase & { other: string }> {
  const database = await mysql.createDatabase()
  const other = named ?? `${database.name}_web`
  await mysql.asRoot(async (root) => {
    await root.query(`CREATE DATABASE ${other} CHARACTER SET utf8mb4`)
    await root.query(`GRANT ALL ON ${other}.* TO ${database.user}@'127.0.0.1'`)
  })
  const connection = await createConnection({ uri: database.url, charset: 'utf8mb4' })
  try {
    await connection.query(`SET SESSION sql_mode = '', unique_checks = 0, foreign_key_checks = 0`)
    await schema.fill(makeWith(connection, other, accounts))
  } finally {
    await connection.end()
  }
  return { ...database, other }
}

function makeWith(connection: Connection, other: string, accounts: number): Make {
  const named = (sql: string) => sql.replaceAll('{other}', other)
  return {
    accounts,
    async run(...statements) {
      for (const statement of statements) await connection.query(named(statement))
    },
    async rows(into, rows) {
      await connection.query('START TRANSACTION')
      let batch: (readonly unknown[])[] = []
      const send = async () => {
        if (batch.length > 0) await connection.query(`INSERT INTO ${named(into)} VALUES ?`, [batch])
        batch = []
      }
      for (const row of rows) if (batch.push(row) === BATCH) await send()
      await send()
      await connection.query('COMMIT')
    },
  }
}

export function* counted<Item>(count: number, of: (at: number) => Item): Generator<Item> {
  for (let at = 0; at < count; at++) yield of(at)
}

/** The first account is the one of tests. */
export const loginOf = (at: number) => (at === 0 ? TEST_NAME : `nguoi${at}`)
export const heroOf = (at: number) => (at === 0 ? 'kiemthunghiem' : `hiep${at}`)
export const uuidOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
export const luongOf = (at: number) => (at === 0 ? 1_900_000_000 : (at * 7_919) % 1_000_000)
