import { sql } from 'kysely'
import { escapeIdentifier, type Client } from 'pg'
import { startLoop, type Loop } from '../jobs/loop.ts'
import type { Log } from '../log/log.ts'
import { PLATFORM_METRICS, setGauge } from '../metrics/metrics.ts'
import { SetupProblem } from '../values/errors.ts'
import { IS_UNGUARDED } from './app-role.ts'
import type { Db } from './database.ts'
import { operationalRefusal } from './operational-failures.ts'
import {
  AS_SCHEMA_NAMES,
  differenceOf,
  givenRights,
  inWords,
  LACKED_BY_OWNERS,
  rightsHeldBy,
  type Right,
} from './rights.ts'
import { sqlState } from './transaction.ts'
import { namesOfHosts } from './writable-client.ts'

/**
 * In one transaction: makes PostgreSQL write a temporary file of a megabyte to the disk of the database, since so many
 * rows do not fit into the memory that is allowed. It changes nothing, needs no right, and fails with DISK_FULL.
 */
const DISK_PROBE = [
  `SET LOCAL work_mem = '64kB'`,
  `SET LOCAL temp_tablespaces = ''`,
  'SELECT count(*) FROM generate_series(1, 40000)',
] as const

const DISK_FULL = '53100'
const NO_RIGHT = '42501'
/** `temp_file_limit` is smaller than what is written for a try: nothing is known of the disk then. */
const TOO_LARGE = '53400'
/** Of none of these statements, but of a connection to a database with ALLOW_CONNECTIONS false. */
const NOBODY_LET_IN = '55000'

const READ_ONLY = 'default_transaction_read_only'

type Place = { source: string; role: string; database: string }

/** What takes a setting back, by the place that PostgreSQL has it from. */
function cureOf(name: string, { source, role: login, database: named }: Place): string {
  const [role, database] = [escapeIdentifier(login), escapeIdentifier(named)]
  const wheres: Record<string, string> = {
    user: `ALTER ROLE ${role}`,
    database: `ALTER DATABASE ${database}`,
    'database user': `ALTER ROLE ${role} IN DATABASE ${database}`,
    global: 'ALTER ROLE ALL',
  }
  const where = wheres[source]
  if (source === 'client') return `take ${name} out of DATABASE_URL`
  if (where === undefined)
    return `take ${name} out of the settings of the server (ALTER SYSTEM RESET ${name}; SELECT pg_reload_conf())`
  const statement = `${where} RESET ${name}`
  return name === READ_ONLY
    ? `run BEGIN READ WRITE; ${statement}; COMMIT`
    : `let a superuser run ${statement}`
}

type Setting = Place & { name: string; setting: string }

const findSetting = async (client: Client, condition: string): Promise<Setting | undefined> =>
  (
    await client.query<Setting>(`SELECT name, setting, source, current_user AS role, current_database() AS database
      FROM pg_settings WHERE (${condition}) ORDER BY name LIMIT 1`)
  ).rows[0]

/** Throws a SetupProblem where what is written would not be guarded, or be read as something else. */
async function requireGuards(client: Client): Promise<void> {
  const found = await findSetting(client, IS_UNGUARDED)
  if (found === undefined) return
  const { name, setting, role } = found
  throw new SetupProblem(
    `${name} is ${setting} for the role "${role}", with which what guards money is off or what is written is read as something ` +
      `else: ${cureOf(name, found)}, then start again`,
  )
}

/**
 * Whether commits wait for a standby while none is connected: each change hangs then, and nothing fails. `ANY` and `FIRST`
 * of more than one are not counted: who is connected is better than nobody.
 */
const LACKS_STANDBY = `(current_setting('synchronous_standby_names') <> ''
            AND current_setting('synchronous_commit') NOT IN ('off', 'local')
            AND NOT EXISTS (SELECT FROM pg_stat_replication))`

type State = {
  is_standby: boolean
  is_read_only: boolean
  lacks_standby: boolean
  standby_names: string
  source: string
  role: string
  database: string
}

/** What a new connection like this one is refused. Reads only; a transaction may be open that reads only. */
async function requireReadWrite(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<State>(
    `SELECT pg_is_in_recovery() AS is_standby, setting = 'on' AS is_read_only, source,
            ${LACKS_STANDBY} AS lacks_standby, current_setting('synchronous_standby_names') AS standby_names,
            current_user AS role, current_database() AS database
       FROM pg_settings WHERE name = '${READ_ONLY}'`,
  )
  const { is_standby, is_read_only, lacks_standby, standby_names, source, role, database } = rows[0] as State
  const server = `PostgreSQL at ${namesOfHosts(url)}`
  if (is_standby) {
    throw new SetupProblem(
      `${server} is a standby, which takes no writes: promote it (SELECT pg_promote()), or name the server that takes ` +
        'writes in DATABASE_URL, then start again',
    )
  }
  if (lacks_standby) {
    throw new SetupProblem(
      `at ${server} every change waits for the standby "${standby_names}", which is not connected: start it, or let ` +
        'Patroni or a superuser take it out of synchronous_standby_names, then start again',
    )
  }
  if (!is_read_only) return
  const cure = cureOf(READ_ONLY, { source, role, database })
  throw new SetupProblem(
    `${server} takes no writes of the role "${role}", because ${READ_ONLY} is on: ${cure}, then start again`,
  )
}

/**
 * Throws a SetupProblem when PostgreSQL takes no writes of that connection: reads go on then, so that nothing else would
 * report it before the first change. What is tried is a table, by who may make one, and is rolled back.
 */
export async function requireWrites(client: Client, url: string): Promise<void> {
  await requireReadWrite(client, url)
  await requireGuards(client)
  await client.query('BEGIN READ WRITE')
  try {
    for (const statement of DISK_PROBE) await client.query(statement)
    await client.query('CREATE TABLE portal_write_probe AS SELECT 1 AS one')
  } catch (error) {
    if (sqlState(error) === NO_RIGHT) return
    if (sqlState(error) === DISK_FULL)
      throw new SetupProblem('no space is left on the disk of PostgreSQL: make room there, then start again')
    const { message } = error as Error
    if (sqlState(error) === TOO_LARGE) {
      await client.query('ROLLBACK')
      const limit = await findSetting(client, `name = 'temp_file_limit'`)
      throw new SetupProblem(
        `temp_file_limit lets no statement use a megabyte of the disk (${message}): ` +
          `${limit && cureOf(limit.name, limit)}, then start again`,
        { cause: error },
      )
    }
    throw new SetupProblem(
      `PostgreSQL at ${namesOfHosts(url)} refuses to write (${message}): its log says why; mend that, then start again`,
      { cause: error },
    )
  } finally {
    await client.query('ROLLBACK').catch(() => {})
  }
}

const LOOK_EVERY_MS = 5_000
/** Rights are compared in every such round: it takes PostgreSQL 6 ms, and nobody takes rights away by the minute. */
const RIGHTS_EVERY = 3

/** Why changes are refused, or some of them. */
export type Hindrance = 'disk-full' | 'standby' | 'read-only' | 'no-standby' | 'refused' | 'missing-rights'

const SENTENCES: Record<Hindrance, string> = {
  'disk-full': 'no space is left on the disk of PostgreSQL: every change is refused',
  standby: 'PostgreSQL is a standby: every change is refused until it is promoted',
  'read-only': `${READ_ONLY} is on in PostgreSQL: every change is refused until it is taken back (portal doctor)`,
  'no-standby':
    'commits wait for a standby that is not connected: every change hangs until it is started, or taken out of synchronous_standby_names',
  refused: 'PostgreSQL refuses every change (portal doctor)',
  'missing-rights':
    'the role of the portal lacks rights: what needs them is refused until a process of the portal is started, which gives them again (portal doctor)',
}

const hindrances = new WeakMap<Db, Hindrance>()

/** What hindered changes when this process last looked; null when nothing did. */
export const hindranceOf = (db: Db): Hindrance | null => hindrances.get(db) ?? null

/** Looks at intervals, however often `/readyz` is requested, and writes nothing. */
export function watchWrites(db: Db, log: Log): Loop {
  let round = 0
  let lacksRights = false
  showHindrance(null)
  return startLoop({
    name: 'writes',
    pauseMs: LOOK_EVERY_MS,
    log,
    async round() {
      try {
        const { refusal, reason } = await findRefusal(db)
        const missing = round++ % RIGHTS_EVERY === 0 || lacksRights ? await findMissingRights(db) : []
        lacksRights = missing.length > 0
        note(db, log, refusal ?? (lacksRights ? 'missing-rights' : null), {
          ...(refusal === null && lacksRights && { rights: inWords(missing) }),
          ...(reason !== undefined && { reason }),
        })
        setGauge('portal_database_away', {}, 0)
      } catch {
        // It does not answer, which tells nothing of what it takes; `/readyz` asks it too.
        setGauge('portal_database_away', {}, 1)
      }
    },
  })
}

function note(db: Db, log: Log, found: Hindrance | null, why: { rights?: string[]; reason?: string }): void {
  if (found === hindranceOf(db)) return
  showHindrance(found)
  if (found === null) {
    hindrances.delete(db)
    log.info('PostgreSQL takes changes again')
    return
  }
  hindrances.set(db, found)
  log.error(why, SENTENCES[found])
}

function showHindrance(found: Hindrance | null): void {
  setGauge('portal_database_disk_full', {}, found === 'disk-full' ? 1 : 0)
  for (const reason of PLATFORM_METRICS.portal_database_refuses_changes.labels.reason)
    setGauge('portal_database_refuses_changes', { reason }, found === reason ? 1 : 0)
}

/**
 * Of the setting not what this connection still has from its own start, but what the next ones get: PostgreSQL reads it
 * by role and database first, then by role, by database, and for all.
 */
const findState = sql<{
  is_standby: boolean
  is_read_only: boolean
  lacks_standby: boolean
  has_tables: boolean
}>`
  SELECT pg_is_in_recovery() AS is_standby, to_regclass('schema_migration') IS NOT NULL AS has_tables, ${sql.raw(LACKS_STANDBY)} AS lacks_standby, coalesce(
           (SELECT split_part(setting, '=', 2)::boolean
              FROM pg_db_role_setting, unnest(setconfig) AS setting
             WHERE setting LIKE ${`${READ_ONLY}=%`}
               AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
               AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = session_user))
             ORDER BY setrole = 0, setdatabase = 0 LIMIT 1),
           (SELECT setting = 'on' AND source NOT IN ('database user', 'user', 'database', 'global')
              FROM pg_settings WHERE name = ${READ_ONLY})) AS is_read_only`

/** A transaction of its own number is what every change begins with. */
const takeNumber = sql`SELECT pg_current_xact_id()`

class TablesNotFound extends Error {
  constructor() {
    super('the search_path of the role of the portal does not lead to its tables')
  }
}

type Refused = { refusal: Hindrance | null; reason?: string }

async function findRefusal(db: Db): Promise<Refused> {
  try {
    const refusal = await db.transaction().execute(async (tx) => {
      const [state] = (await findState.execute(tx)).rows
      if (state?.is_standby) return 'standby'
      if (state?.has_tables === false) throw new TablesNotFound()
      await takeNumber.execute(tx)
      for (const statement of DISK_PROBE) await sql.raw(statement).execute(tx)
      if (state?.lacks_standby) return 'no-standby'
      return state?.is_read_only ? 'read-only' : null
    })
    return { refusal }
  } catch (error) {
    if (error instanceof TablesNotFound) return { refusal: 'refused', reason: error.message }
    const code = sqlState(error)
    if (code === DISK_FULL) return { refusal: 'disk-full' }
    if (code === TOO_LARGE) return { refusal: null }
    if (code === undefined || code === NOBODY_LET_IN || operationalRefusal(error) !== null) throw error
    return { refusal: 'refused', reason: (error as Error).message }
  }
}

async function findMissingRights(db: Db): Promise<Right[]> {
  const [held, lacked] = await db.transaction().execute(async (tx) => {
    await sql.raw(AS_SCHEMA_NAMES).execute(tx)
    return [
      await sql.raw<Right>(rightsHeldBy('current_user')).execute(tx),
      await sql.raw<Right>(LACKED_BY_OWNERS).execute(tx),
    ]
  })
  return [...differenceOf(await givenRights(), held.rows).missing, ...lacked.rows]
}
