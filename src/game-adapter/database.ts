import { createPool, type Pool, type PoolConnection } from 'mysql2/promise'
import { GameAdapterError } from './config.ts'

export type Row = Record<string, unknown>
export type Value = string | number | Buffer | null

/** One connection, for one use. */
export type Session = {
  rows(sql: string, values?: readonly Value[]): Promise<Row[]>
  /** How many rows were changed. */
  change(sql: string, values?: readonly Value[]): Promise<number>
}

export type Database = {
  /** The name of the schema. */
  name: string
  /** Each statement commits by itself. */
  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  /** All of it is committed, or nothing. May be run again, also after a commit whose answer was lost. */
  transaction(work: (session: Session) => Promise<void>): Promise<void>
  /** Everything read inside is of one moment. */
  snapshot<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** The database cannot do it now; the same again may well succeed. */
export class DatabaseUnavailable extends Error {}

type Limits = { connections: number; statementMs: number }

const CONNECT_MS = 5_000
const WAITING_MAX = 200
const STATEMENTS_KEPT = 100
const TRIES = 3

/** A column, or a table, also of another database, as it stands in a statement. The schema of the file lets no other characters in. */
export const quoted = (name: string) =>
  name
    .split('.')
    .map((part) => `\`${part.replaceAll('`', '``')}\``)
    .join('.')

/** Placeholders for a list, of few different lengths, so that the server knows most statements already; and their values. */
export function listOf(values: readonly Value[]): { marks: string; padded: Value[] } {
  const last = values.at(-1) ?? null
  const length = 2 ** Math.ceil(Math.log2(Math.max(values.length, 1)))
  const padded = [...values, ...Array.from({ length: length - values.length }, () => last)]
  return { marks: padded.map(() => '?').join(', '), padded }
}

/** `?socket=` names a socket of this machine, `?tls=1` asks for TLS. */
function connectionOptions(url: string) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const socket = searchParams.get('socket')
  return {
    ...(socket === null
      ? { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 3306) }
      : { socketPath: socket }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...(searchParams.get('tls') === '1' ? { ssl: {} } : {}),
  }
}

/** For a table that is being changed: three tries fit into the time of a statement. */
const lockSeconds = (statementMs: number) => Math.min(60, Math.max(1, Math.floor(statementMs / 4_000)))

/** What every session has set. Servers that do not know one of the last two know the other, or have no such limit. */
const settingsOf = (statementMs: number): { sql: string; isOptional?: true }[] => [
  {
    sql: `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00',
      innodb_lock_wait_timeout = 2, lock_wait_timeout = ${lockSeconds(statementMs)}`,
  },
  { sql: 'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ' },
  { sql: `SET SESSION max_statement_time = ${statementMs / 1000}`, isOptional: true },
  { sql: `SET SESSION max_execution_time = ${statementMs}`, isOptional: true },
]

const UNKNOWN_VARIABLE = 'ER_UNKNOWN_SYSTEM_VARIABLE'

/** A pool of connections with bounds for everything: how many, how many wait, how long. */
export function openDatabase(url: string, { connections, statementMs }: Limits): Database {
  const options = connectionOptions(url)
  const pool = createPool({
    ...options,
    connectionLimit: connections,
    queueLimit: WAITING_MAX,
    connectTimeout: CONNECT_MS,
    idleTimeout: 30_000,
    maxPreparedStatements: STATEMENTS_KEPT,
    charset: 'utf8mb4_general_ci',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
  })
  const timeoutMs = statementMs + 1_000

  async function once<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const connection = await readyConnection(pool, statementMs)
    try {
      const result = await work(sessionOf(connection, timeoutMs))
      connection.release()
      return result
    } catch (error) {
      // Its transaction is undone with it, and what it still answers is heard by nobody.
      connection.destroy()
      throw error
    }
  }

  async function use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await once(work)
      } catch (error) {
        if (!isOfDatabase(error)) throw error
        if (tries === TRIES || !isWorthRepeating(error)) throw asUnavailable(error)
      }
    }
  }

  return {
    name: options.database,
    use,
    transaction: (work) =>
      use(async (session) => {
        await session.change('START TRANSACTION')
        await work(session)
        await session.change('COMMIT')
      }),
    snapshot: (work) =>
      use(async (session) => {
        await session.change('START TRANSACTION WITH CONSISTENT SNAPSHOT')
        const result = await work(session)
        await session.change('COMMIT')
        return result
      }),
    close: () => pool.end(),
  }
}

/** Those that were already set up. */
const ready = new WeakSet<object>()

async function readyConnection(pool: Pool, statementMs: number): Promise<PoolConnection> {
  const connection = await pool.getConnection()
  if (ready.has(connection.connection)) return connection
  try {
    for (const { sql, isOptional } of settingsOf(statementMs)) {
      await connection.query({ sql, timeout: CONNECT_MS }).catch((error: { code?: string }) => {
        if (isOptional !== true || error.code !== UNKNOWN_VARIABLE) throw error
      })
    }
  } catch (error) {
    connection.destroy()
    throw error
  }
  ready.add(connection.connection)
  return connection
}

/** What the server has no prepared form for. */
const isPlain = (sql: string) => /^(START|COMMIT|CREATE|SET)\b/.test(sql)

function sessionOf(connection: PoolConnection, timeout: number): Session {
  const send = async (sql: string, values: readonly Value[]): Promise<unknown> => {
    const [result] = isPlain(sql)
      ? await connection.query({ sql, timeout })
      : await connection.execute({ sql, timeout, values: [...values] })
    return result
  }
  return {
    rows: async (sql, values = []) => (await send(sql, values)) as Row[],
    change: async (sql, values = []) => ((await send(sql, values)) as { affectedRows: number }).affectedRows,
  }
}

export type DatabaseError = Error & { code: string; errno?: number }

/** An error of the server, of the way to it, or of the pool. */
export const isOfDatabase = (error: unknown): error is DatabaseError =>
  error instanceof Error && ('code' in error || error.message === 'Queue limit reached.' || 'fatal' in error)

const PASSING = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'EPIPE',
])

const isWorthRepeating = ({ code }: { code?: string }) => PASSING.has(code ?? '')

export const isDuplicate = (error: unknown) => isOfDatabase(error) && error.code === 'ER_DUP_ENTRY'

function asUnavailable(error: Error): Error {
  return isDuplicate(error) ? error : new DatabaseUnavailable(error.message, { cause: error })
}

/** For a start: what the owner can do about it. The address is named without its password. */
export function explained(error: unknown, url: string): unknown {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error
  if (!isOfDatabase(cause)) return error
  const { hostname, port, pathname, searchParams } = new URL(url)
  const place = searchParams.get('socket') ?? `${hostname}:${port || 3306}`
  return new GameAdapterError(
    `The database ${pathname.slice(1)} at ${place} cannot be used: ${cause.message} (${cause.code ?? 'pool'}).`,
  )
}
