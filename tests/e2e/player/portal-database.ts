import pg from 'pg'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'

/** The database of a portal (this worker's, if no other is named) as its owner, for what no player can bring about: time that passed, a lost character. */
export async function withDatabase<Result>(
  act: (client: pg.Client) => Promise<Result>,
  dataDir = process.env.PORTAL_DATA_DIR ?? '',
): Promise<Result> {
  const embedded = await openEmbeddedPostgres({ dataDir, log: () => {} })
  const client = new pg.Client({ connectionString: embedded.url })
  try {
    await client.connect()
    return await act(client)
  } finally {
    await client.end()
    await embedded.stop()
  }
}
