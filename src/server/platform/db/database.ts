import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import type { Log } from '../log/log.ts'
import type { DB } from './schema.gen.ts'

export type Db = Kysely<DB>

export type DatabaseOptions = {
  url: string
  log: Log
  /** Connections at most. */
  connectionsMax: number
  /** Milliseconds a statement may run; the CLI's long reports set their own. */
  statementTimeoutMs?: number
}

/**
 * A pool as the app role. Time-outs are set once per connection, not per transaction: a lock is waited for 2 s, a
 * statement may run 5 s, and a transaction left idle 10 s is ended.
 */
export function openDatabase({ url, log, connectionsMax, statementTimeoutMs = 5_000 }: DatabaseOptions): Db {
  const pool = new Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'cong-ninja',
    options: `-c lock_timeout=2000 -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=10000`,
  })
  // Without a listener a client that loses its server would crash the process: the pool's own listener covers idle
  // clients only, not those between two statements of a transaction. Their next statement fails, which is enough.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}
