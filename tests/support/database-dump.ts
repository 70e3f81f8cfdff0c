import pg from 'pg'
import type { TestApp } from './app.ts'

/** Each table's rows as text and as values, read as the owner. */
export type Dump = Map<string, { texts: string[]; rows: Record<string, string | null>[] }>

export async function dumpDatabase({ ownerUrl }: Pick<TestApp, 'ownerUrl'>): Promise<Dump> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT CASE WHEN table_schema = 'public' THEN '' ELSE table_schema || '.' END || table_name AS name
         FROM information_schema.tables
        WHERE table_schema IN ('public', 'game') AND table_type = 'BASE TABLE' ORDER BY 1`,
    )
    const read: Dump = new Map()
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string; columns: Record<string, string | null> }>(
        `SELECT t::text AS text, (SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(to_jsonb(t))) AS columns FROM ${name} t`,
      )
      read.set(name, { texts: rows.map(({ text }) => text), rows: rows.map(({ columns }) => columns) })
    }
    return read
  } finally {
    await client.end()
  }
}
