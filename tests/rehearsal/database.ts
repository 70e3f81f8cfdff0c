import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'
import { PORTAL_TABLES } from '#game-adapter/tables.ts'
import { startMysql } from '#tests/support/mysql.ts'

export type Rows = (string | null)[][]

/** The database of the rehearsal game, on a server of its own. */
export type GameDatabase = {
  /** For Java programs. */
  jdbcUrl: string
  /** For other programs. */
  url: string
  password: string
  /** Runs one or several statements on a connection of their own; the rows of a single SELECT, as texts. */
  query(sql: string): Promise<Rows>
  /** The same on a connection that stays open with its transaction and locks, until the function returned is called. */
  hold(sql: string): Promise<() => Promise<void>>
  /** kill -9 of it. */
  kill(): Promise<void>
  /** Again, at the same port and with its data. */
  start(): Promise<void>
  end(): Promise<void>
}

export async function openGameDatabase(): Promise<GameDatabase> {
  const mysql = await startMysql()
  const { url, name, user, password } = await mysql.createDatabase()
  const connect = () => createConnection({ uri: url, multipleStatements: true })
  return {
    // MySQL asks for its public key, or for TLS, before a password.
    jdbcUrl: `jdbc:mariadb://127.0.0.1:${mysql.port}/${name}?user=${user}&password=${password}&allowPublicKeyRetrieval=true`,
    url,
    password,
    async query(sql) {
      const connection = await connect()
      try {
        return await ask(connection, sql)
      } finally {
        await connection.end()
      }
    },
    async hold(sql) {
      const connection = await connect()
      await ask(connection, `START TRANSACTION; ${sql}`)
      return () => connection.end()
    },
    kill: () => mysql.end('SIGKILL'),
    start: () => mysql.start(),
    async end() {
      await mysql.end('SIGKILL')
      await mysql.close()
    },
  }
}

/** As the adapter's `install` does. */
export async function addPortalTables({ query }: GameDatabase): Promise<void> {
  await query(Object.values(PORTAL_TABLES).join(';\n'))
}

async function ask(connection: Connection, sql: string): Promise<Rows> {
  const typeCast = (field: { string(): string | null }) => field.string()
  const [results] = await connection.query<RowDataPacket[]>({ sql, rowsAsArray: true, typeCast })
  return Array.isArray(results) ? (results as unknown as Rows) : []
}
