import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { newFolder, startPostgres, type Cleanup } from '../../harness/fleet.ts'
import { postmasterOf, treeCpuMs } from '../../harness/resources.ts'

/** A disk as it is, or one whose writes take two milliseconds more, which is what a lock is then held for. */
export type Disk = 'as it is' | '2 ms slower'

const SAMPLE_MS = 50

/** What the server of all databases under measurement does, read over a connection of its own. */
export class Server {
  /** On an embedded PostgreSQL of its own, which ends with it. */
  static async start(cleanup: Cleanup): Promise<Server> {
    const folder = await newFolder(cleanup, 'bench')
    const server = new Server(await startPostgres(cleanup, join(folder, 'data')))
    await server.#client.connect()
    cleanup.defer(() => server.#client.end())
    return server
  }

  readonly #client: Client
  readonly #url: string

  private constructor(url: string) {
    this.#url = url
    this.#client = new Client({ connectionString: url, application_name: 'the measurement' })
  }

  async addDatabase(name: string): Promise<string> {
    await this.#client.query(`CREATE DATABASE ${name}`)
    return this.#urlOf(name)
  }

  #urlOf(database: string): string {
    const url = new URL(this.#url)
    url.pathname = `/${database}`
    return url.href
  }

  /** As autovacuum does each minute: without it plans are those of tables that were empty just now. */
  async gatherStatistics(database: string): Promise<void> {
    const client = new Client({ connectionString: this.#urlOf(database) })
    await client.connect()
    try {
      await client.query('VACUUM ANALYZE')
    } finally {
      await client.end()
    }
  }

  async checkpoint(): Promise<void> {
    await this.#client.query('CHECKPOINT')
  }

  /** Who comes to a flush first waits, and all who come meanwhile are flushed with it: as a disk does that is slow. */
  async useDisk(disk: Disk): Promise<void> {
    await this.#client.query(`ALTER SYSTEM SET commit_siblings = 0`)
    await this.#client.query(`ALTER SYSTEM SET commit_delay = ${disk === 'as it is' ? 0 : 2_000}`)
    await this.#client.query('SELECT pg_reload_conf()')
  }

  /** Processor time of all its processes so far. */
  async cpuMs(): Promise<number> {
    const { rows } = await this.#client.query<{ folder: string }>(
      `SELECT current_setting('data_directory') AS folder`,
    )
    return treeCpuMs(await postmasterOf(rows[0]?.folder ?? ''))
  }

  /** What its connections waited for while `work` was going on: the mean number of them at a time, by cause. */
  async watch<Result>(work: Promise<Result>): Promise<{ result: Result; waits: Record<string, number> }> {
    const counts: Record<string, number> = {}
    let samples = 0
    const end = new AbortController()
    const over = work.finally(() => end.abort())
    while (!end.signal.aborted) {
      const { rows } = await this.#client.query<{ cause: string; many: number }>(SAMPLE)
      samples++
      for (const { cause, many } of rows) counts[cause] = (counts[cause] ?? 0) + many
      await sleep(SAMPLE_MS)
    }
    const result = await over
    const means = Object.entries(counts).map(([cause, many]) => [
      cause,
      Math.round((many / samples) * 10) / 10,
    ])
    return { result, waits: Object.fromEntries(means.filter(([, many]) => Number(many) >= 0.1)) }
  }
}

const SAMPLE = `
  SELECT CASE WHEN state <> 'active' THEN 'the client' WHEN wait_event_type IS NULL THEN 'nothing: it runs'
              WHEN wait_event_type = 'Lock' AND wait_event IN ('tuple', 'transactionid') THEN 'a row lock'
              WHEN wait_event_type = 'Lock' AND wait_event = 'object' THEN 'the lock of NOTIFY'
              ELSE wait_event_type || ' ' || wait_event END AS cause,
         count(*)::integer AS many
    FROM pg_stat_activity
   WHERE backend_type = 'client backend' AND application_name = 'cong-ninja' AND state <> 'idle'
   GROUP BY 1`
