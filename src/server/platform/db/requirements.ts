import type { Client } from 'pg'
import type { Clock } from '../values/clock.ts'
import { SetupProblem } from '../values/errors.ts'
import { asOwner } from './owner.ts'

const VERSION_MIN = 15
/** Codes of authenticator apps are valid for half a minute, and orders and links end by both clocks. */
const APART_MS_MAX = 60_000

/** What a PostgreSQL of the owner's own has to be like, before anything is made in it. */
export async function requireUsable(ownerUrl: string, clock: Clock): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await requireVersion(client)
    await requireOwnTables(client)
    await requireSameTime(client, clock)
  })
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
     FROM (SELECT to_regclass('schema_migration') AS oid) AS wanted LEFT JOIN pg_class USING (oid)`,
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
  const askedAt_ms = clock.now().getTime()
  const { rows } = await client.query<{ now_ms: string }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms',
  )
  const here_ms = (askedAt_ms + clock.now().getTime()) / 2
  const apart_ms = here_ms - Number(rows[0]?.now_ms)
  if (Math.abs(apart_ms) <= APART_MS_MAX) return apart_ms
  const seconds = Math.round(Math.abs(apart_ms) / 1_000)
  throw new SetupProblem(
    `the clock of this machine is ${seconds} s ${apart_ms > 0 ? 'ahead of' : 'behind'} that of PostgreSQL: ` +
      'set the wrong one right (timedatectl set-ntp true), then start again',
  )
}
