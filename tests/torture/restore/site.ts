import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { spawnPortal, startPortalProcess, type PortalProcess } from '#tests/support/portal-process.ts'
import { killPostgres } from '../kill.ts'

const WEBS = 2
const WORKERS = 2

/** Web processes, workers and the PostgreSQL of one data directory. */
export type Site = {
  urls: string[]
  /** kill -9 of everything. */
  die(): Promise<void>
  end(): Promise<void>
}

export async function openSite(dataDir: string, environment: Record<string, string>): Promise<Site> {
  const processes: PortalProcess[] = []
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    await Promise.all(processes.map((each) => each.end(signal)))
  }
  try {
    // One after the other: the first one starts PostgreSQL and migrates.
    for (let web = 0; web < WEBS; web++)
      processes.push(await startPortalProcess({ dataDir, environment, arguments: ['--web'] }))
    const urls = processes.map(({ url }) => url)
    for (let worker = 0; worker < WORKERS; worker++)
      processes.push(spawnPortal({ dataDir, environment, arguments: ['--worker'] }))
    return {
      urls,
      end,
      async die() {
        await killPostgres(dataDir)
        await end('SIGKILL')
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** The database of a data directory, as its owner. */
export async function withOwnerUrl<Result>(
  dataDir: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    return await work(postgres.url)
  } finally {
    await postgres.stop()
  }
}
