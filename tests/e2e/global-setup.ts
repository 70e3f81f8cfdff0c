import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPortalProcess } from '#tests/support/portal-process.ts'

/** One demo portal for all browser tests: its own process, embedded database and game world. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-e2e-'))
  const portal = await startPortalProcess({
    dataDir,
    // Players made by call come from addresses of their own: one may register thirty an hour.
    environment: { DEMO: '1', LOG_LEVEL: 'warn', TRUST_PROXY: '127.0.0.1' },
  })
  process.env.PORTAL_URL = portal.url
  process.env.PORTAL_DATA_DIR = dataDir
  return async () => {
    await portal.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}
