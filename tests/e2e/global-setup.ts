import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPortalProcess } from '#tests/support/processes.ts'

/** Before all tests: one demo is made and ended. To go on in a copy of its folder costs half of what a first start does. */
export default async function makeStartedDemo(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-demo-'))
  const portal = await startPortalProcess({ dataDir: folder, environment: { DEMO: '1', LOG_LEVEL: 'warn' } })
  await portal.end()
  process.env.STARTED_DEMO = folder
  return () => rm(folder, { recursive: true, force: true })
}

/** A data folder of a demo without players but the seeded ones; the caller removes it. */
export async function copyStartedDemo(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-e2e-'))
  await cp(process.env.STARTED_DEMO ?? '', folder, { recursive: true })
  return folder
}
