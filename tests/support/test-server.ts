import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import type { EmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { withLock } from '#server/platform/embedded-postgres/lock.ts'
import { preparePlace } from '#server/platform/embedded-postgres/place.ts'
import { stopPostmaster } from '#server/platform/embedded-postgres/postmaster.ts'
import { countLivingUses } from '#server/platform/embedded-postgres/registrations.ts'

const DIR_PREFIX = 'cong-ninja-tests-'
const LONGEST_START_MS = 60_000

/** A server for this run alone, without fsync: what survives a crash is tested elsewhere. */
export async function openTestServer(): Promise<EmbeddedPostgres> {
  await removeAbandonedServers()
  const dataDir = await mkdtemp(join(tmpdir(), DIR_PREFIX))
  const removeDir = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  try {
    const server = await openEmbeddedPostgres({ dataDir, durable: false, log: () => {} })
    return { url: server.url, stop: () => server.stop().then(removeDir) }
  } catch (error) {
    await removeDir()
    throw error
  }
}

/** A run that was killed could not stop its server; the next run does it. */
async function removeAbandonedServers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(DIR_PREFIX)) continue
    const dataDir = join(tmpdir(), name)
    try {
      // A younger one may be of a run that starts this very moment and has not registered yet.
      if (Date.now() - (await stat(dataDir)).birthtimeMs > LONGEST_START_MS) await removeIfAbandoned(dataDir)
    } catch {
      // Someone else's, in use, or just gone: in every case not ours to remove.
    }
  }
}

async function removeIfAbandoned(dataDir: string): Promise<void> {
  const place = await preparePlace(dataDir)
  await withLock(place.lockFile, 0, async () => {
    if ((await countLivingUses(place.runDir)) > 0) return
    await stopPostmaster(place.clusterDir, () => {})
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  })
}
