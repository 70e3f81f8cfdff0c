import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import type { TestMysql } from './mysql.ts'

export type GameRow = [
  key: string | number,
  name: string,
  password: string | null,
  kh: number,
  lock: number,
  vnd: number,
]

type Place = { mysql: TestMysql; folder: string }
type GameTable = {
  table: string
  /** The type of its key. */
  key: string
  rows: readonly GameRow[]
}

/** A table of accounts in a database of its own, and the file that describes it for an import. */
export async function aGameTable({ mysql, folder }: Place, { table, key, rows }: GameTable): Promise<string> {
  const { url } = await mysql.createDatabase()
  const connection = await createConnection({ uri: url })
  try {
    await connection.query(
      `CREATE TABLE ${table} (id ${key} NOT NULL PRIMARY KEY, username VARCHAR(40) COLLATE utf8mb4_bin NOT NULL,
        password VARCHAR(64), kh BIT NOT NULL, \`lock\` TINYINT NOT NULL, vnd BIGINT NOT NULL) ENGINE = InnoDB`,
    )
    await connection.query(`INSERT INTO ${table} VALUES ?`, [rows])
  } finally {
    await connection.end()
  }
  const file = join(folder, `${table}.json`)
  await writeFile(
    file,
    JSON.stringify({
      preset: 'json-list',
      database: url,
      servers: [{ id: '1', name: 'Máy chủ 1' }],
      accounts: { table, banned: 'lock' },
      import: { password: 'password', activated: 'kh', balance: { column: 'vnd', coins: 1, per: 10 } },
    }),
  )
  return file
}
