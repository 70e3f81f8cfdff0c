import { readFile } from 'node:fs/promises'
import { escapeIdentifier, type Client } from 'pg'
import type { Log } from '../log/log.ts'
import { SetupProblem } from '../values/errors.ts'
import { inTurn } from './advisory-lock.ts'
import { runAsOwner } from './app-role.ts'
import { isAheadOf, migrationsTurn } from './migrate.ts'
import { readMigrations } from './migration-files.ts'
import { asOwner } from './owner.ts'

/** What the migrations make, with all rights; `npm run codegen` writes it. */
const SCHEMA = new URL('../../../../sql/schema.gen.sql', import.meta.url)
const GRANT = /^GRANT (.+) ON (.+) TO (\w+);$/gm
const PRIVILEGE = /([A-Z]+)(?: \(([^)]*)\))?/g

/** A right, such as `SELECT`, `UPDATE (state)` or `EXECUTE`, on a thing, as GRANT names it. */
export type Right = { privilege: string; column: string | null; thing: string }

type GivenRight = Right & { grantee: string }

const keyOf = ({ privilege, column, thing }: Right) =>
  `${privilege}${column === null ? '' : ` (${column})`} ON ${thing}`

/** The rights that the text of a schema gives to the portal's role, itself or as one of all. */
export function rightsIn(schema: string): GivenRight[] {
  return [...schema.matchAll(GRANT)].flatMap(([, privileges = '', thing = '', grantee = '']) =>
    [...privileges.matchAll(PRIVILEGE)].flatMap(([, privilege = '', columns]) =>
      (columns?.split(', ') ?? [null]).map((column) => ({ privilege, column, thing, grantee })),
    ),
  )
}

export const schemaText = (): Promise<string> => readFile(SCHEMA, 'utf8')

let given: Promise<GivenRight[]> | undefined

/** Read once: the file does not change while a process runs. */
export const givenRights = (): Promise<GivenRight[]> => (given ??= schemaText().then(rightsIn))

const OURS = `('public'::regnamespace, 'game'::regnamespace)`
const oneOf = (privileges: string) => `unnest('{${privileges}}'::text[]) AS privilege`

/** Before `rightsHeldBy`, in its transaction: things are named as `schema.gen.sql` names them. */
export const AS_SCHEMA_NAMES = `SET LOCAL search_path = public`

/**
 * What a role, an expression of SQL, may really do, however it came to that: by its own name, by a role it is a member of, as one of all.
 * Rights on columns where it has not the same one on the whole table.
 */
export const rightsHeldBy = (role: string) => `
  SELECT privilege, NULL AS column, 'SCHEMA ' || nspname AS thing
    FROM pg_namespace, ${oneOf('USAGE,CREATE')}
   WHERE oid IN ${OURS} AND has_schema_privilege(${role}, oid, privilege)
  UNION ALL
  SELECT privilege, NULL, t.oid::regclass::text
    FROM pg_class t, ${oneOf('SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER')}
   WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition AND relnamespace IN ${OURS}
     AND has_table_privilege(${role}, t.oid, privilege)
  UNION ALL
  SELECT privilege, quote_ident(attname), t.oid::regclass::text
    FROM pg_class t JOIN pg_attribute ON attrelid = t.oid AND attnum > 0 AND NOT attisdropped
         AND attacl IS NOT NULL, ${oneOf('SELECT,INSERT,UPDATE,REFERENCES')}
   WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition AND relnamespace IN ${OURS}
     AND has_column_privilege(${role}, t.oid, attnum, privilege)
     AND NOT has_table_privilege(${role}, t.oid, privilege)
  UNION ALL
  SELECT privilege, NULL, 'SEQUENCE ' || s.oid::regclass
    FROM pg_class s, ${oneOf('USAGE,SELECT,UPDATE')}
   WHERE relkind = 'S' AND relnamespace IN ${OURS} AND has_sequence_privilege(${role}, s.oid, privilege)
  UNION ALL
  SELECT 'EXECUTE', NULL, 'FUNCTION ' || p.oid::regprocedure
    FROM pg_proc p
   WHERE pronamespace IN ${OURS} AND has_function_privilege(${role}, p.oid, 'EXECUTE')
     AND NOT EXISTS (SELECT FROM pg_depend
                      WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')`

/**
 * What the owners of things may not do with them themselves: nobody has to give them that, but it can be taken, and then
 * the functions that run in their name fail.
 */
export const LACKED_BY_OWNERS = `
  SELECT privilege, NULL AS column, 'SCHEMA ' || nspname AS thing
    FROM pg_namespace n, ${oneOf('USAGE,CREATE')}, pg_class note
   WHERE n.oid IN ${OURS} AND note.oid = to_regclass('public.schema_migration')
     AND NOT has_schema_privilege(note.relowner, n.oid, privilege)
  UNION ALL
  SELECT privilege, NULL, t.oid::regclass::text
    FROM pg_class t, ${oneOf('SELECT,INSERT,UPDATE,DELETE')}
   WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition AND relnamespace IN ${OURS}
     AND NOT has_table_privilege(relowner, t.oid, privilege)
  UNION ALL
  SELECT privilege, NULL, 'SEQUENCE ' || s.oid::regclass
    FROM pg_class s, ${oneOf('USAGE,SELECT,UPDATE')}
   WHERE relkind = 'S' AND relnamespace IN ${OURS} AND NOT has_sequence_privilege(relowner, s.oid, privilege)
  UNION ALL
  SELECT 'EXECUTE', NULL, 'FUNCTION ' || p.oid::regprocedure
    FROM pg_proc p
   WHERE pronamespace IN ${OURS} AND NOT has_function_privilege(proowner, p.oid, 'EXECUTE')`

type Difference = { missing: GivenRight[]; surplus: Right[] }

/** What is held compared with what was given: a right on the whole table is one on each of its columns too. */
export function differenceOf(given: readonly GivenRight[], held: readonly Right[]): Difference {
  const has = new Set(held.map(keyOf))
  const wanted = new Set(given.map(keyOf))
  const isHeld = (right: Right) => has.has(keyOf(right)) || has.has(keyOf({ ...right, column: null }))
  return {
    missing: given.filter((right) => !isHeld(right)),
    surplus: held.filter((right) => !wanted.has(keyOf(right))),
  }
}

/** `SELECT, UPDATE (state) ON orders` for those of one thing together. */
export function inWords(rights: readonly Right[]): string[] {
  return [...Map.groupBy(rights, ({ thing }) => thing)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([thing, ofThing]) => `${privilegesOf(ofThing)} ON ${thing}`)
}

const privilegesOf = (rights: readonly Right[]) =>
  [...Map.groupBy(rights, ({ privilege, column }) => `${privilege}${column === null ? '' : ' ('}`)]
    .map(([start, some]) =>
      start.endsWith('(') ? `${start}${some.map(({ column }) => column).join(', ')})` : start,
    )
    .join(', ')

/**
 * The statements of the owner that give what is missing and take what is surplus. Who takes a right on a table takes the
 * same one on its columns along, so that those are given again.
 */
export function cureOf(
  { missing, surplus }: Difference,
  given: readonly GivenRight[],
  role: string,
): string[] {
  const isTakenAlong = (right: Right) =>
    right.column !== null &&
    surplus.some(
      ({ privilege, column, thing }) =>
        column === null && privilege === right.privilege && thing === right.thing,
    )
  const toGive = given.filter((right) => missing.includes(right) || isTakenAlong(right))
  return [
    ...inWords(surplus).map((text) => `REVOKE ${text} FROM PUBLIC, portal_app, ${escapeIdentifier(role)}`),
    ...[...Map.groupBy(toGive, ({ grantee }) => grantee)].flatMap(([grantee, rights]) =>
      inWords(rights).map((text) => `GRANT ${text} TO ${grantee}`),
    ),
  ]
}

/** In a transaction. A database that newer migrations changed already gives what this program knows nothing of. */
export async function readDifference(client: Client, role: string): Promise<Difference> {
  await client.query(AS_SCHEMA_NAMES)
  const { rows } = await client.query<Right>(rightsHeldBy('$1::name'), [role])
  const { missing, surplus } = differenceOf(await givenRights(), rows)
  return { missing, surplus: (await isAheadOf(client, await readMigrations())) ? [] : surplus }
}

/** In a transaction. */
export async function readLackedByOwners(client: Client): Promise<Right[]> {
  await client.query(AS_SCHEMA_NAMES)
  return (await client.query<Right>(LACKED_BY_OWNERS)).rows
}

/**
 * The statements of a superuser that give the role of DATABASE_URL what of the portal belongs to another; only an owner may
 * migrate it.
 */
export async function readOwnedByOthers(client: Client): Promise<string[]> {
  await client.query(AS_SCHEMA_NAMES)
  const { rows } = await client.query<{ statement: string; made: string }>(`
    SELECT format('ALTER %s %s OWNER TO %I', kind, thing, current_user) AS statement, made FROM (
      SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind, oid::regclass::text AS thing, relowner AS owner,
             CASE relkind WHEN 'S' THEN format('CREATE SEQUENCE %s ', oid::regclass)
               ELSE format('CREATE TABLE %s (', oid::regclass) END AS made
        FROM pg_class WHERE relkind IN ('r', 'p', 'S') AND relnamespace IN ${OURS}
      UNION ALL
      SELECT 'FUNCTION', oid::regprocedure::text, proowner, format('FUNCTION %s.%I(', pronamespace::regnamespace, proname)
        FROM pg_proc WHERE pronamespace IN ${OURS}
    ) AS owned WHERE NOT pg_has_role(owner, 'USAGE') ORDER BY 1`)
  const schema = await schemaText()
  return rows.filter(({ made }) => schema.includes(made)).map(({ statement }) => statement)
}

/** The statements of the owner that set right what it and the portal's role may do; none when all is right. */
async function readCure(client: Client, role: string): Promise<string[]> {
  const own = inWords(await readLackedByOwners(client)).map((text) => `GRANT ${text} TO CURRENT_USER`)
  return [...own, ...cureOf(await readDifference(client, role), await givenRights(), role)]
}

/**
 * Gives the owner back what it may do with its own, the portal's role what the migrations gave it and somebody took, and takes what they never gave it. Throws a
 * SetupProblem where the owner cannot do that.
 */
export async function keepRights(ownerUrl: string, appUrl: string, log: Log): Promise<void> {
  const role = decodeURIComponent(new URL(appUrl).username)
  await asOwner(ownerUrl, async (client) => {
    await client.query('BEGIN READ ONLY')
    const cure = await readCure(client, role)
    await client.query('ROLLBACK')
    if (cure.length === 0) return
    await inTurn(client, migrationsTurn(log), async () => {
      for (const statement of await readCure(client, role)) {
        await runAsOwner(client, statement)
        log.warn({ statement }, 'a right was not as the migrations made it, and was set right')
      }
      refuse(await readDifference(client, role), role)
    })
  })
}

/** What neither GRANT nor REVOKE of the owner changed. */
function refuse({ missing, surplus }: Difference, role: string): void {
  if (missing.length > 0) {
    throw new SetupProblem(
      `the portal’s role "${role}" lacks ${inWords(missing).join(', ')}, which the role of DATABASE_URL cannot give: ` +
        'let a superuser make that role the owner of these, then start again',
    )
  }
  if (surplus.length > 0) {
    throw new SetupProblem(
      `the portal’s role "${role}" may do more than the migrations let it (${someOf(inWords(surplus))}): let a superuser take it back ` +
        'from whoever gave it, and that role out of the roles that it has this from, then start again',
    )
  }
}

const SHOWN_MAX = 5
export const someOf = (words: readonly string[], between = ', ') =>
  [
    ...words.slice(0, SHOWN_MAX),
    ...(words.length > SHOWN_MAX ? [`and ${words.length - SHOWN_MAX} more`] : []),
  ].join(between)
