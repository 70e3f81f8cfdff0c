import { mkdir } from 'node:fs/promises'
import { Client } from 'pg'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { fillPortal } from './bench-portal.ts'

export type Grown = { players: number; url: string }

/**
 * Databases of several sizes in one PostgreSQL, with the settings of the portal's own. One that is there from an earlier
 * run, in a folder that is kept, is not filled again.
 */
export async function withGrownDatabases<Result>(
  { dataDir, sizes, entries }: { dataDir: string; sizes: readonly number[]; entries: number },
  work: (databases: Grown[]) => Promise<Result>,
): Promise<Result> {
  await mkdir(dataDir, { recursive: true })
  const embedded = await openEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    const databases: Grown[] = []
    for (const players of sizes) databases.push(await grown(embedded.url, { players, entries }))
    return await work(databases)
  } finally {
    await embedded.stop()
  }
}

async function grown(adminUrl: string, size: { players: number; entries: number }): Promise<Grown> {
  const name = `growth_${size.players}_${size.entries}`
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) {
      // Under this name only once it is full: a run that was ended leaves a draft.
      await client.query(`DROP DATABASE IF EXISTS ${name}_draft`)
      await client.query(`CREATE DATABASE ${name}_draft`)
      console.error(await fillPortal({ DATABASE_URL: `${url}_draft` }, size))
      await client.query(`ALTER DATABASE ${name}_draft RENAME TO ${name}`)
    }
  } finally {
    await client.end()
  }
  return { players: size.players, url }
}
