import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'
import { PORTAL_TABLES } from '#game-adapter/tables.ts'
import { startMariadb } from '#tests/support/mariadb.ts'

export type Rows = (string | null)[][]

/** The database of the rehearsal game, on a MariaDB of its own. */
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
  /** kill -9 of MariaDB. */
  kill(): Promise<void>
  /** Again, at the same port and with its data. */
  start(): Promise<void>
  end(): Promise<void>
}

export async function openGameDatabase(): Promise<GameDatabase> {
  const mariadb = await startMariadb()
  const { url, name, user, password } = await mariadb.createDatabase()
  const connect = () => createConnection({ uri: url, multipleStatements: true })
  return {
    jdbcUrl: `jdbc:mariadb://127.0.0.1:${mariadb.port}/${name}?user=${user}&password=${password}`,
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
    kill: () => mariadb.end('SIGKILL'),
    start: () => mariadb.start(),
    async end() {
      await mariadb.end('SIGKILL')
      await mariadb.close()
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
