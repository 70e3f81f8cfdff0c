import pg from 'pg'
import type { TestApp } from '#tests/support/app.ts'

/** Rows that reading changes on purpose: how often a post was read, when a session was last used. */
const READING = ['views', 'last_used_at']

/** What every table holds, as one hash each: two pictures that are equal say that nothing was written in between. */
export async function databasePicture({ ownerUrl }: TestApp): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename <> 'post_view' ORDER BY 1`,
    )
    const picture: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ hash: string }>(
        `SELECT count(*) || ' ' || md5(coalesce(string_agg(r, '|' ORDER BY r), '')) AS hash
           FROM (SELECT (to_jsonb(t) - $1::text[])::text AS r FROM ${name} t) AS rows`,
        [READING],
      )
      picture[name] = rows[0]?.hash ?? ''
    }
    return picture
  } finally {
    await client.end()
  }
}
