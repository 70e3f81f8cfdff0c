import { Kysely, PostgresDialect, type LogEvent } from 'kysely'
import { Pool, type ClientBase } from 'pg'
import type { Log } from '../log/log.ts'
import { markAway, noteSuccess } from '../log/outages.ts'
import { count, readGauge } from '../metrics/metrics.ts'
import { addSpan, nameOf } from '../tracing/tracing.ts'
import { awayBy } from './away.ts'
import { boundedClient, meetServer, STATEMENT_MS } from './bounded-client.ts'
import type { DB } from './schema.gen.ts'
import { clientOf, namesOfHosts } from './writable-client.ts'

export type Db = Kysely<DB>

export type DatabaseOptions = {
  url: string
  log: Log
  /** Connections at most. */
  connectionsMax: number
  /** Milliseconds a statement may run, where that is not what the role has; the CLI's long reports set their own. */
  statementTimeoutMs?: number
}

const logs = new WeakMap<Db, Log>()

/** The log that a database was opened with, for notices that are sent after a transaction is committed. */
export const logOf = (db: Db): Log | undefined => logs.get(db)

/** Those of this process that are open. */
const pools = new Set<Pool>()

readGauge('portal_database_connections', () => {
  for (const pool of pools) if (pool.ended) pools.delete(pool)
  const sum = (read: (pool: Pool) => number) => [...pools].reduce((total, pool) => total + read(pool), 0)
  return [
    { labels: { state: 'in-use' as const }, value: sum((pool) => pool.totalCount - pool.idleCount) },
    { labels: { state: 'idle' as const }, value: sum((pool) => pool.idleCount) },
    { labels: { state: 'waiting' as const }, value: sum((pool) => pool.waitingCount) },
  ]
})

/** A pool as the app role, which brings its time-outs along: a pooler in transaction mode accepts none at the start. */
export function openDatabase({ url, log, connectionsMax, statementTimeoutMs }: DatabaseOptions): Db {
  const pool = new Pool({
    connectionString: url,
    Client: boundedClient(
      clientOf(url),
      statementTimeoutMs ?? STATEMENT_MS,
    ) as unknown as new () => ClientBase,
    onConnect: meetServer,
    pipeline: true,
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'cong-ninja',
    ...(statementTimeoutMs === undefined ? {} : { options: `-c statement_timeout=${statementTimeoutMs}` }),
  })
  // Without a listener a client that loses its server would crash the process: the pool's own listener covers idle
  // clients only, not those between two statements of a transaction. Their next statement fails, which is enough.
  pool.on('connect', (client) => client.on('error', () => {}))
  const place = `PostgreSQL at ${namesOfHosts(url)}`
  pool.on('error', (error) =>
    log.warn({ err: markAway(error, place) }, 'an idle database connection was lost'),
  )
  pools.add(pool)
  const connecting = {
    options: pool.options,
    connect: () =>
      pool.connect().catch((error: unknown) => {
        throw markAway(error, place)
      }),
    end: () => pool.end(),
  }
  const db: Db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: connecting }),
    log(statement) {
      count('portal_database_statements_total', { outcome: statement.level === 'error' ? 'failed' : 'done' })
      if (statement.level !== 'error') noteSuccess(place)
      else markAway(statement.error, awayBy(statement.error, place))
      traceStatement(statement)
    },
  })
  logs.set(db, log)
  return db
}

/** A statement by its text, in which the values are `$1`, `$2` …; never the values. */
function traceStatement(statement: LogEvent): void {
  const { sql } = statement.query
  addSpan(
    {
      name: /\w+/.exec(sql)?.[0].toUpperCase() ?? 'SQL',
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': sql },
    },
    statement.queryDurationMillis,
    statement.level === 'error' ? nameOf(statement.error) : undefined,
  )
}
