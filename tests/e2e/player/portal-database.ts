import pg from 'pg'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'

/** The database of this worker's portal as its owner, for what no player can bring about: time that passed, a lost character. */
export async function withDatabase<Result>(act: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const embedded = await openEmbeddedPostgres({ dataDir: process.env.PORTAL_DATA_DIR ?? '', log: () => {} })
  const client = new pg.Client({ connectionString: embedded.url })
  try {
    await client.connect()
    return await act(client)
  } finally {
    await client.end()
    await embedded.stop()
  }
}
