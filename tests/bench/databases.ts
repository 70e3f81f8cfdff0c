import { join } from 'node:path'
import { Pool } from 'pg'
import { asOwner } from '#server/platform/db/owner.ts'
import { newFolder, startPostgres, type Cleanup } from '../harness/fleet.ts'
import { postmasterOf, treeCpuMs } from '../harness/resources.ts'
import { rateAtOnce, type Rate } from './rounds.ts'

export const CLIENTS = 16

/** A PostgreSQL for the databases under measurement. */
export async function startMeasuredPostgres(cleanup: Cleanup) {
  const folder = await newFolder(cleanup, 'bench')
  const url = await startPostgres(cleanup, folder)
  const postmaster = await postmasterOf(join(folder, 'postgres'))
  const change = (statement: string) => asOwner(url, (client) => client.query(statement))
  return {
    url,
    change,
    /** The rate of so many clients and, for each piece of work, the processor time of PostgreSQL. */
    async measure(ms: number, work: () => Promise<unknown>): Promise<Rate & { postgresMs: number }> {
      await change('CHECKPOINT')
      let done = 0
      const before = await treeCpuMs(postmaster)
      const rate = await rateAtOnce(CLIENTS, ms, () => work().then(() => done++))
      return { ...rate, postgresMs: ((await treeCpuMs(postmaster)) - before) / done }
    },
  }
}

/** Another database of the server at `url`. */
export async function addDatabase(url: string, name: string): Promise<string> {
  await asOwner(url, (client) => client.query(`CREATE DATABASE ${name}`))
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** As autovacuum does each minute: without it plans are those of tables that were empty just now. */
export const gatherStatistics = (url: string) => asOwner(url, (client) => client.query('VACUUM ANALYZE'))

/** A yardstick: how many rows a second as many clients insert and commit. */
export async function insertRows(url: string, ms: number): Promise<number> {
  const pool = new Pool({ connectionString: url, max: CLIENTS })
  try {
    await pool.query(
      'CREATE TABLE IF NOT EXISTS one_row (id bigserial PRIMARY KEY, at timestamptz DEFAULT now())',
    )
    return (await rateAtOnce(CLIENTS, ms, () => pool.query('INSERT INTO one_row DEFAULT VALUES'))).perSecond
  } finally {
    await pool.end()
  }
}
