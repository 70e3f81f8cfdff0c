import { isDeepStrictEqual } from 'node:util'
import type { Client } from 'pg'
import type { Clock } from '../values/clock.ts'
import { SetupProblem } from '../values/errors.ts'
import { isServerItself } from './bounded-client.ts'
import { clientOf, namesOfHosts, NoWritableHost } from './writable-client.ts'

const CONNECT_TIMEOUT_MS = 10_000

/** Runs `work` on one connection of the role of DATABASE_URL, which owns the schema; the portal itself works as another. */
export async function asOwner<Result>(
  ownerUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(ownerUrl)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** One connection, or a SetupProblem with the reason why there is none. */
export async function connect(url: string): Promise<Client> {
  const client = new (clientOf(url))({
    connectionString: url,
    application_name: 'cong-ninja start',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // Without a listener a connection that breaks between two statements would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw explain(url, error)
  }
}

function explain(url: string, error: unknown): unknown {
  if (error instanceof NoWritableHost) {
    const what =
      'promote one of them, take default_transaction_read_only back where it is on, or correct the hosts in DATABASE_URL'
    return new SetupProblem(`${error.message}: ${what}`, { cause: error })
  }
  const { username, pathname } = new URL(url)
  const login = decodeURIComponent(username)
  const role = `the role "${login}"`
  const server = `PostgreSQL at ${namesOfHosts(url)}`
  const database = decodeURIComponent(pathname.slice(1))
  const { code = '', message } = error as { code?: string; message: string }
  const texts: Record<string, string> = {
    // PostgreSQL has codes of its own for all that a client may do wrong before it is let in; PgBouncer has this one.
    '08P01': `the pooler at ${namesOfHosts(url)} does not let ${role} into the database "${database}": name the database in [databases] of pgbouncer.ini, run deploy/postgres/pgbouncer.sql in it, and correct the password; what goes past the pooler uses DATABASE_DIRECT_URL`,
    '28P01': `${server} does not accept the password of ${role}: correct it in DATABASE_URL`,
    '28000': /no encryption/.test(message)
      ? `${server} does not let ${role} in without TLS: write sslmode=verify-full into DATABASE_URL, or allow it in pg_hba.conf`
      : `${server} does not let ${role} in: create the role with LOGIN, or allow it in pg_hba.conf`,
    '3D000': `${server} has no database "${database}": run CREATE DATABASE "${database}" OWNER "${login}" there`,
    '42501': `${server} does not let ${role} into the database "${database}": let a superuser run GRANT CONNECT ON DATABASE "${database}" TO "${login}"`,
    '55000': `${server} lets nobody into the database "${database}": let a superuser run ALTER DATABASE "${database}" ALLOW_CONNECTIONS true`,
    '53300': / for (role|database) /.test(message)
      ? `${server} lets in too few connections of ${role} and the database "${database}": run ALTER ROLE or ALTER DATABASE … CONNECTION LIMIT -1`
      : `${server} has no free connection: raise its max_connections or end programs that hold them`,
    '57P03': `${server} is starting or stopping: start the portal again when it accepts connections`,
  }
  const patterns: [RegExp, string][] = [
    [/CERT_HAS_EXPIRED/, `the certificate of ${server} has ended: renew it there`],
    [
      /ALTNAME_INVALID/,
      `the certificate of ${server} is of another name: give it one of that name, or write the name that it has in DATABASE_URL`,
    ],
    [
      /SELF_SIGNED|UNABLE_TO_|CERT_/,
      `the certificate of ${server} is not trusted here: name the file of its authority in DATABASE_URL (sslrootcert=…)`,
    ],
    [
      /does not support SSL/,
      `${server} does not speak TLS: turn its setting ssl on, or leave sslmode out of DATABASE_URL`,
    ],
    [
      /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENETUNREACH|ENOENT|EPIPE)|timeout|terminated/i,
      `${server} does not answer: start it, or correct host and port in DATABASE_URL`,
    ],
  ]
  const text = texts[code] ?? patterns.find(([pattern]) => pattern.test(code) || pattern.test(message))?.[1]
  return text === undefined ? error : new SetupProblem(`${text} (${message})`, { cause: error })
}

const VERSION_MIN = 15
/** Codes of authenticator apps are valid for half a minute, and orders and links end by both clocks. */
const APART_MS_MAX = 60_000

/** Checks an external PostgreSQL before anything is created in it. */
export async function requireUsable(ownerUrl: string, clock: Clock): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await requireVersion(client)
    await requireNames(client)
    await requireOwnTables(client)
    await requireSameTime(client, clock)
  })
}

/** What needs one session from end to end cannot go through a pooler. */
export async function requireServerItself(client: Client, url: string): Promise<void> {
  if (await isServerItself(client)) return
  throw new SetupProblem(
    `${namesOfHosts(url)} is a connection pooler: name PostgreSQL itself in DATABASE_DIRECT_URL, beside the pooler in DATABASE_URL`,
  )
}

const WHICH_SERVER = `SELECT pg_postmaster_start_time()::text AS started, oid::text AS oid FROM pg_database
  WHERE datname = current_database()`

/**
 * A pooler that gives each statement to another connection cannot carry what the portal does; one that leads elsewhere, as
 * after a failover, would let requests change another database than the one that was migrated and is listened to.
 */
export async function requirePooler(urls: { requestsUrl: string; appUrl: string }): Promise<void> {
  const { requestsUrl, appUrl } = urls
  const which = async (client: Client) => (await client.query(WHICH_SERVER)).rows[0]
  const pooled = await asOwner(requestsUrl, async (client) => {
    await requireTransactions(client, requestsUrl)
    return which(client)
  })
  if (isDeepStrictEqual(pooled, await asOwner(appUrl, which))) return
  throw new SetupProblem(
    `the pooler at ${namesOfHosts(requestsUrl)} leads to another database than DATABASE_DIRECT_URL (${namesOfHosts(appUrl)}): ` +
      'correct host, port and dbname in [databases] of its pgbouncer.ini, or DATABASE_DIRECT_URL',
  )
}

async function requireTransactions(client: Client, url: string): Promise<void> {
  try {
    await client.query('BEGIN READ ONLY')
    await client.query('ROLLBACK')
  } catch (error) {
    throw new SetupProblem(
      `the pooler at ${namesOfHosts(url)} keeps no transaction together (${(error as Error).message}): ` +
        'set pool_mode = transaction in its pgbouncer.ini and reload it',
      { cause: error },
    )
  }
}

/** Answers the version. */
export async function requireVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  )
  const version = rows[0]?.version ?? ''
  assertVersion(version)
  return version
}

export function assertVersion(version: string): void {
  if (Number.parseInt(version, 10) >= VERSION_MIN) return
  throw new SetupProblem(`this is PostgreSQL ${version}: use PostgreSQL ${VERSION_MIN} or newer`)
}

type Naming = { encoding: string; schema: string | null; path: string; role: string; database: string }

/**
 * The database stores every letter of Vietnamese, and names without a schema are those of the portal: with another
 * search_path it would seem to be empty, and be made once more somewhere else.
 */
export async function requireNames(client: Client): Promise<void> {
  const { rows } = await client.query<Naming>(
    `SELECT pg_encoding_to_char(encoding) AS encoding, current_schema() AS schema, current_user AS role,
            current_setting('search_path') AS path, datname AS database
       FROM pg_database WHERE datname = current_database()`,
  )
  const { encoding, schema, path, role, database } = rows[0] as Naming
  if (encoding !== 'UTF8') {
    throw new SetupProblem(
      `the database "${database}" has the encoding ${encoding}: make it anew with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
    )
  }
  if (schema === 'public') return
  throw new SetupProblem(
    `the search_path of the role "${role}" is ${path}, which does not begin with public: run ALTER ROLE "${role}" RESET search_path ` +
      `and ALTER DATABASE "${database}" RESET search_path, or take it out of DATABASE_URL`,
  )
}

type Rights = {
  role: string
  database: string
  owns_tables: boolean | null
  may_make_tables: boolean
  owner: string | null
}

/** The role makes the tables at its first start, and has to be the one that made them at the later ones. */
export async function requireOwnTables(client: Client): Promise<void> {
  const { rows } = await client.query<Rights>(
    `SELECT current_user AS role, current_database() AS database,
            coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_make_tables,
            pg_has_role(relowner, 'USAGE') AS owns_tables, pg_get_userbyid(relowner) AS owner
     FROM (SELECT to_regclass('schema_migration') AS oid) AS notes LEFT JOIN pg_class USING (oid)`,
  )
  const { role, database, owns_tables, may_make_tables, owner } = rows[0] as Rights
  if (owns_tables === false) {
    throw new SetupProblem(
      `the tables of the database "${database}" belong to the role "${owner}", not to "${role}": give DATABASE_URL the role "${owner}"`,
    )
  }
  if (owns_tables === null && !may_make_tables) {
    throw new SetupProblem(
      `the role "${role}" may not make tables in the database "${database}": let a superuser run ` +
        `ALTER DATABASE "${database}" OWNER TO "${role}", then start again`,
    )
  }
}

/** Answers by how many milliseconds this machine's clock is ahead of the database's. */
export async function requireSameTime(client: Client, clock: Clock): Promise<number> {
  const sentAt_ms = clock.now().getTime()
  const { rows } = await client.query<{ now_ms: string }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms',
  )
  const here_ms = (sentAt_ms + clock.now().getTime()) / 2
  const apart_ms = here_ms - Number(rows[0]?.now_ms)
  if (Math.abs(apart_ms) <= APART_MS_MAX) return apart_ms
  const seconds = Math.round(Math.abs(apart_ms) / 1_000)
  throw new SetupProblem(
    `the clock of this machine is ${seconds} s ${apart_ms > 0 ? 'ahead of' : 'behind'} that of PostgreSQL: ` +
      'set the wrong one right (timedatectl set-ntp true), then start again',
  )
}
