import { createHash, createHmac } from 'node:crypto'
import { escapeIdentifier, type Client } from 'pg'
import type { Log } from '../log/log.ts'
import { SetupProblem } from '../values/errors.ts'
import { STATEMENT_MS } from './bounded-client.ts'
import { asOwner, connect } from './owner.ts'
import { sqlState } from './transaction.ts'
import { ADVISORY_LOCKS, inTurn } from './advisory-lock.ts'

const WAIT_MS = 60_000

/**
 * Of every connection of the portal: a lock is waited for 2 s, a statement may run 5 s, an idle transaction 10 s. A machine
 * that vanished without closing its connections loses them, and the locks they hold, within a minute; left to the system
 * they would fill PostgreSQL's slots for hours.
 */
const TIME_OUTS = {
  lock_timeout: '2s',
  statement_timeout: `${STATEMENT_MS / 1_000}s`,
  idle_in_transaction_session_timeout: '10s',
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
}

/** What a session has to have so that guards run and values are read as what they are. Superusers alone set the first one. */
const GUARDING = [
  ['session_replication_role', 'origin'],
  ['default_transaction_isolation', 'read committed'],
  ['row_security', 'on'],
  ['DateStyle', 'ISO, MDY'],
  ['IntervalStyle', 'postgres'],
  ['array_nulls', 'on'],
  ['transform_null_equals', 'off'],
  ['standard_conforming_strings', 'on'],
] as const

/** Of pg_settings, one that is otherwise. */
export const IS_UNGUARDED = GUARDING.map(
  ([name, value]) => `name = '${name}' AND setting <> '${value}'`,
).join(' OR ')

/** The role's own settings come before those that a database, or the server, has for all. */
const SETTINGS: Record<string, string> = {
  ...TIME_OUTS,
  idle_session_timeout: '0',
  ...Object.fromEntries(GUARDING.filter(([name]) => name !== 'session_replication_role')),
}

/**
 * The DSN the portal works with: a login role of this database only, member of `portal_app`, without DDL. The owner
 * makes it at the first start and sets what differs at later ones. The password follows from the owner's own, so that
 * every process with the same DATABASE_URL derives the same one and nothing has to be stored or shared.
 */
export async function openAppRole(ownerUrl: string, log: Log): Promise<string> {
  return asOwner(ownerUrl, async (client) => {
    const role = await roleToTake(client, ownerUrl)
    const { url, other, database } = role
    if ((await changesTo(client, url, database)).length > 0) {
      await requireCreateRole(client, url.username)
      const turn = { lock: ADVISORY_LOCKS.appRole, purpose: 'the role of the portal', waitMs: WAIT_MS, log }
      await inTurn(client, turn, async () => {
        for (const change of await changesTo(client, url, database)) await runAsOwner(client, change)
      })
    }
    if (await isOfBefore(client, other))
      await runAsOwner(client, `ALTER ROLE ${escapeIdentifier(other.username)} NOLOGIN`)
    return url.href
  })
}

/** `other` is used in turn, so that another password of the owner leaves running processes theirs. */
type AppRole = { url: URL; other: URL; database: string }

/** Name and password of the portal's role in this database, whether it is there or not. */
export async function appRoleOf(client: Client, ownerUrl: string): Promise<AppRole> {
  const { rows } = await client.query<{ database: string }>('SELECT current_database() AS database')
  const database = rows[0]?.database ?? ''
  // Role names are cut at 63 bytes; a digest distinguishes two long database names.
  const name = `portal_${createHash('sha256').update(database).digest('hex').slice(0, 16)}`
  const [one, two] = [loginOf(ownerUrl, name), loginOf(ownerUrl, `${name}_2`)]
  const isTwo = (await stateOf(client, two)).mayLogIn && (await isPasswordRight(two))
  return isTwo ? { url: two, other: one, database } : { url: one, other: two, database }
}

function loginOf(ownerUrl: string, username: string): URL {
  const url = new URL(ownerUrl)
  const owner = `${url.username}:${url.password}`
  const password = createHmac('sha256', owner).update(username).digest('base64url')
  return Object.assign(url, { username, password })
}

async function stateOf(client: Client, { username }: URL): Promise<{ mayLogIn: boolean; isUsed: boolean }> {
  const { rows } = await client.query<{ may_log_in: boolean; is_used: boolean }>(
    `SELECT rolcanlogin AND NOT coalesce(rolvaliduntil < now(), false) AS may_log_in,
            EXISTS (SELECT FROM pg_stat_activity WHERE usename = rolname) AS is_used
       FROM pg_roles WHERE rolname = $1`,
    [username],
  )
  return { mayLogIn: rows[0]?.may_log_in ?? false, isUsed: rows[0]?.is_used ?? false }
}

/** The one whose password follows from the owner's; where none does, one that no process uses, which then gets it. */
async function roleToTake(client: Client, ownerUrl: string): Promise<AppRole> {
  const role = await appRoleOf(client, ownerUrl)
  const { url, other, database } = role
  const { mayLogIn, isUsed } = await stateOf(client, url)
  if (!isUsed || (mayLogIn && (await isPasswordRight(url)))) return role
  return (await stateOf(client, other)).isUsed ? role : { url: other, other: url, database }
}

/** Whether nobody who knows the password of the owner uses it: it is from before that was changed. */
async function isOfBefore(client: Client, role: URL): Promise<boolean> {
  const { mayLogIn, isUsed } = await stateOf(client, role)
  return mayLogIn && !isUsed
}

/** What the next start sets right in the portal's role; nothing while it is not made yet. */
export async function faultsOfRole(client: Client, { url, database }: AppRole): Promise<string[]> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [url.username])
  return rowCount === 0 ? [] : (await changesTo(client, url, database)).map(withoutPassword)
}

/** The role's login at another address. */
export function atAddress(appUrl: string, otherUrl: string): string {
  const url = new URL(otherUrl)
  const { username, password } = new URL(appUrl)
  return Object.assign(url, { username, password }).href
}

type RoleState = {
  is_there: boolean
  may_log_in: boolean
  has_expired: boolean
  is_superuser: boolean
  passes_row_security: boolean
  may_replicate: boolean
  may_create_databases: boolean
  may_create_roles: boolean
  is_member: boolean
  may_connect: boolean
  may_others_make_temporary_tables: boolean
  /** As `name=value`. */
  role_settings: string[]
  /** Names of those that hide the portal's own: of another search_path, and of any in this database alone. */
  foreign_settings: { name: string; is_of_database: boolean }[]
  /** The statements that take it, and what it is a member of, out of all other roles. */
  foreign_roles: string[]
}

/**
 * The statements that make the role what it should be; none when it is. An owner that is no superuser may not repeat
 * what is so already: PostgreSQL 15 refuses NOSUPERUSER, 16 and later NOCREATEDB, whatever the role has.
 */
async function changesTo(client: Client, app: URL, database: string): Promise<string[]> {
  const { rows } = await client.query<RoleState>(
    `SELECT role.oid IS NOT NULL AS is_there, role.rolcanlogin AS may_log_in, role.rolsuper AS is_superuser,
            coalesce(role.rolvaliduntil < now(), false) AS has_expired,
            role.rolbypassrls AS passes_row_security, role.rolreplication AS may_replicate,
            role.rolcreatedb AS may_create_databases, role.rolcreaterole AS may_create_roles,
            coalesce(pg_has_role(role.oid, 'portal_app', 'USAGE'), false) AS is_member,
            coalesce(has_database_privilege(role.oid, datname, 'CONNECT'), false) AS may_connect,
            has_database_privilege('public', datname, 'TEMPORARY') AND pg_has_role(datdba, 'USAGE')
              AS may_others_make_temporary_tables,
            coalesce(role.rolconfig, '{}') AS role_settings,
            (SELECT coalesce(json_agg(json_build_object('name', name, 'is_of_database', is_of_database)), '[]')
               FROM (SELECT split_part(setting, '=', 1) AS name, setdatabase <> 0 AS is_of_database
                       FROM pg_db_role_setting, unnest(setconfig) AS setting
                      WHERE setrole = role.oid AND setdatabase IN (0, pg_database.oid)) AS own
              WHERE name IN ('search_path', 'session_replication_role') OR (is_of_database AND name = ANY ($2))) AS foreign_settings,
            array(SELECT format('REVOKE %I FROM %I', roleid::regrole::name, member::regrole::name) FROM pg_auth_members
                   WHERE member IN (role.oid, to_regrole('portal_app')) AND roleid <> to_regrole('portal_app') ORDER BY 1) AS foreign_roles
     FROM pg_database LEFT JOIN pg_roles AS role ON role.rolname = $1
     WHERE datname = current_database()`,
    [app.username, [...Object.keys(SETTINGS), 'session_replication_role']],
  )
  const now = rows[0] as RoleState
  const role = escapeIdentifier(app.username)
  const password = `PASSWORD '${app.password}'`
  const differing = [
    !now.may_log_in && 'LOGIN',
    now.has_expired && `VALID UNTIL 'infinity'`,
    now.is_superuser && 'NOSUPERUSER',
    now.passes_row_security && 'NOBYPASSRLS',
    now.may_replicate && 'NOREPLICATION',
    now.may_create_databases && 'NOCREATEDB',
    now.may_create_roles && 'NOCREATEROLE',
    now.is_there && !(now.may_log_in && !now.has_expired && (await isPasswordRight(app))) && password,
  ].filter((attribute) => attribute !== false)
  return [
    !now.is_there && `CREATE ROLE ${role} LOGIN ${password}`,
    now.is_there && differing.length > 0 && `ALTER ROLE ${role} ${differing.join(' ')}`,
    ...Object.entries(SETTINGS).map(
      ([name, value]) =>
        !now.role_settings.includes(`${name}=${value}`) && `ALTER ROLE ${role} SET ${name} = '${value}'`,
    ),
    ...now.foreign_settings.map(
      ({ name, is_of_database }) =>
        `ALTER ROLE ${role}${is_of_database ? ` IN DATABASE ${escapeIdentifier(database)}` : ''} RESET ${name}`,
    ),
    ...now.foreign_roles,
    !now.is_member && `GRANT portal_app TO ${role}`,
    !now.may_connect && `GRANT CONNECT ON DATABASE ${escapeIdentifier(database)} TO ${role}`,
    now.may_others_make_temporary_tables &&
      `REVOKE TEMPORARY ON DATABASE ${escapeIdentifier(database)} FROM PUBLIC`,
  ].filter((statement) => statement !== false)
}

async function isPasswordRight(app: URL): Promise<boolean> {
  try {
    await (await connect(app.href)).end()
    return true
  } catch (error) {
    if (sqlState((error as Error).cause) === '28P01') return false
    throw error
  }
}

const withoutPassword = (statement: string) => statement.replace(/PASSWORD '.*'/, `PASSWORD '…'`)

/** Throws a SetupProblem with the statement when PostgreSQL lets only others run it. */
export async function runAsOwner(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    if (sqlState(error) !== '42501') throw error
    throw new SetupProblem(
      `PostgreSQL does not let the role of DATABASE_URL do this: ${withoutPassword(statement)} (${(error as Error).message}); ` +
        'let a superuser run it once, then start again',
      { cause: error },
    )
  }
}

/** Both roles of the portal are made by the owner of its database; one that is there already needs no right to make it. */
export async function requireCreateRole(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    `SELECT rolname AS owner FROM pg_roles WHERE rolname = current_user AND NOT rolsuper AND NOT rolcreaterole
       AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`,
    [role],
  )
  const owner = rows[0]?.owner
  if (owner === undefined) return
  throw new SetupProblem(
    `the role of DATABASE_URL may not make the roles the portal needs: let a superuser run ALTER ROLE ` +
      `${escapeIdentifier(owner)} CREATEROLE, then start again`,
  )
}
