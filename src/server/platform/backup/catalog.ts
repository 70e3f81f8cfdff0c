import { escapeIdentifier, type Client } from 'pg'

/** `name` is for people and files, `sql` for statements. */
export type Table = { name: string; sql: string; columns: string[] }

type ForeignKey = { table: string; name: string; definition: string }

/** The portal's own: not PostgreSQL's, not those of an extension. */
const OURS = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relpersistence = 'p'
  AND NOT EXISTS (SELECT FROM pg_depend d
                   WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`

/** Written by the migrations themselves, also in a restore. */
const OWN_BOOKS = 'public.schema_migration'

/** Every table with rows of its own, in the order of their names. Generated columns are computed again by a restore. */
export async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.query<{ schema: string; relation: string; columns: string[] }>(
    `SELECT n.nspname AS schema, c.relname AS relation,
            array(SELECT a.attname::text FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                   ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE (c.relkind = 'p' OR (c.relkind = 'r' AND NOT c.relispartition)) AND ${OURS}
      ORDER BY 1, 2`,
  )
  return rows
    .map(({ schema, relation, columns }) => ({
      name: `${schema}.${relation}`,
      sql: `${escapeIdentifier(schema)}.${escapeIdentifier(relation)}`,
      columns,
    }))
    .filter(({ name }) => name !== OWN_BOOKS)
}

/** The last number each sequence gave out, by its name; one that gave out none is left out. */
export async function sequencesOf(client: Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS value
       FROM pg_sequences WHERE last_value IS NOT NULL AND schemaname !~ '^pg_' ORDER BY 1`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** The values of all sequences, as `sequencesOf` names them. */
export async function sequenceNames(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences WHERE schemaname !~ '^pg_'`,
  )
  return new Set(rows.map(({ name }) => name))
}

export async function foreignKeysOf(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS table, quote_ident(k.conname) AS name,
            pg_get_constraintdef(k.oid) AS definition
       FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE k.contype = 'f' AND k.conparentid = 0 AND ${OURS}
      ORDER BY k.oid`,
  )
  return rows
}

/** A few of the relations that are there already; none in an empty database. */
export async function relationsThere(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND ${OURS} ORDER BY 1 LIMIT 3`,
  )
  return rows.map(({ name }) => name)
}

export const columnList = (columns: readonly string[]): string => columns.map(escapeIdentifier).join(', ')
