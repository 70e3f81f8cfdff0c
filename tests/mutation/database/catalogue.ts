import type { Client } from 'pg'

/** What a migrated database has. */
const IN_OURS = (relation: string) => `${relation} IN ('public'::regnamespace, 'game'::regnamespace)`

async function readPairs(client: Client, sql: string): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; text: string }>(sql)
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]))
}

/** A constraint's definition without the words that say of what kind it is. */
const CONSTRAINTS = (kinds: string, start: number) => `
  SELECT conrelid::regclass || '.' || conname AS name, substr(pg_get_constraintdef(oid), ${start}) AS text
    FROM pg_constraint
   WHERE contype IN (${kinds}) AND conrelid <> 0 AND conparentid = 0 AND ${IN_OURS('connamespace')}`

const readKeys = (client: Client) =>
  readPairs(
    client,
    `${CONSTRAINTS(`'p', 'u', 'x'`, 1)}
    UNION ALL
    SELECT indrelid::regclass || '.' || relname,
        regexp_replace(pg_get_indexdef(indexrelid), '^.* USING btree ', 'UNIQUE INDEX ')
      FROM pg_index JOIN pg_class i ON i.oid = indexrelid
     WHERE indisunique AND ${IN_OURS('i.relnamespace')}
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))`,
  )

const readReferences = (client: Client) => readPairs(client, CONSTRAINTS(`'f'`, 'FOREIGN KEY '.length + 1))

export const readChecks = async (client: Client) =>
  Object.keys(await readPairs(client, CONSTRAINTS(`'c'`, 1))).sort()

const readFilled = (client: Client) =>
  readPairs(
    client,
    `SELECT attrelid::regclass AS name, string_agg(attname, ' ' ORDER BY attnum) AS text
       FROM pg_attribute JOIN pg_class t ON t.oid = attrelid
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND attnotnull AND attnum > 0 AND attidentity = ''
        AND attgenerated = ''
        AND ${IN_OURS('relnamespace')}
        AND NOT EXISTS (SELECT FROM pg_constraint
          WHERE conrelid = attrelid AND contype = 'p' AND attnum = ANY (conkey))
      GROUP BY attrelid`,
  )

/** Rights of the portal's role on tables and views (`r`, `p`, `v`, `m`), or on sequences (`S`). */
const readRights = (client: Client, kinds: string) =>
  readPairs(
    client,
    `SELECT t.oid::regclass AS name, array_to_string(
        array(SELECT privilege_type FROM aclexplode(relacl) WHERE grantee = 'portal_app'::regrole ORDER BY 1)
        || array(SELECT privilege_type || ' (' || string_agg(attname, ', ' ORDER BY attnum) || ')'
             FROM pg_attribute, aclexplode(attacl)
            WHERE attrelid = t.oid AND grantee = 'portal_app'::regrole GROUP BY privilege_type ORDER BY 1),
        ', ') AS text
       FROM pg_class t
      WHERE relkind IN (${[...kinds].map((kind) => `'${kind}'`).join(', ')}) AND NOT relispartition
        AND ${IN_OURS('relnamespace')}`,
  )

/** Tables, columns and sequences on which somebody else than the owner and the portal's role has a right. */
export async function readForeignRights(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT t.oid::regclass::text AS name
       FROM pg_class t LEFT JOIN pg_attribute ON attrelid = t.oid
       CROSS JOIN LATERAL (SELECT grantee FROM aclexplode(relacl) UNION ALL SELECT grantee FROM aclexplode(attacl)) AS held
      WHERE grantee NOT IN (relowner, 'portal_app'::regrole) AND ${IN_OURS('relnamespace')}`,
  )
  return rows.map(({ name }) => name)
}

export async function readTriggers(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT tgrelid::regclass || '.' || tgname AS name FROM pg_trigger JOIN pg_class t ON t.oid = tgrelid
      WHERE NOT tgisinternal AND tgparentid = 0 AND ${IN_OURS('relnamespace')}`,
  )
  return rows.map(({ name }) => name).sort()
}

/** `isBound`: it reads no table, or its search path names our schema, and the temporary one last. */
type SqlFunction = {
  name: string
  isDefiner: boolean
  raises: boolean
  isBound: boolean
  endsInTemp: boolean
}

export async function readFunctions(client: Client): Promise<SqlFunction[]> {
  const { rows } = await client.query<SqlFunction>(
    `SELECT proname AS name, prosecdef AS "isDefiner", prosrc LIKE '%RAISE EXCEPTION%' AS raises,
            replace(prosrc, 'DISTINCT FROM', '') !~ ' (FROM|UPDATE|INTO) ' OR proconfig @> '{"search_path=pg_catalog, public, pg_temp"}' AS "isBound",
            coalesce(array_to_string(proconfig, ';') ~ 'search_path=[^;]*, pg_temp(;|$)', false) AS "endsInTemp"
       FROM pg_proc WHERE ${IN_OURS('pronamespace')} ORDER BY 1`,
  )
  return rows
}

/** The columns of every table, by its name, separated by spaces. */
export const readColumns = (client: Client) =>
  readPairs(
    client,
    `SELECT attrelid::regclass AS name, string_agg(attname, ' ' ORDER BY attnum) AS text
       FROM pg_attribute JOIN pg_class t ON t.oid = attrelid
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0 AND NOT attisdropped
        AND ${IN_OURS('relnamespace')}
      GROUP BY attrelid`,
  )

/** Everything of which each is a guard of the same form. `tests/db/contract.db.test.ts` compares it with `sql/schema.gen.sql`. */
export const readCatalogue = async (client: Client) => ({
  keys: await readKeys(client),
  references: await readReferences(client),
  filled: await readFilled(client),
  columns: await readColumns(client),
  rights: await readRights(client, 'rpvmf'),
  sequenceRights: await readRights(client, 'S'),
})

export type Catalogue = Awaited<ReturnType<typeof readCatalogue>>
