import { expect, test } from 'vitest'
import { startPortal } from '#server/start/portal.ts'
import { freePort } from '#tests/support/network.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { proveNotices } from '../notices/notices.ts'

const SEED = 41

/** `npm run notices -- --count 10000` is the long form. */
test('each of some hundred odd notices ends as the rules say, is listed, found and kept as it came', async () => {
  const { ownerUrl, drop } = await freshDatabase()
  const startInside = async (environment: Record<string, string>) => {
    const port = String(await freePort())
    const portal = await startPortal({ ...environment, PORT: port }, { isWeb: true, isWorker: true })
    return { url: `http://127.0.0.1:${port}`, end: () => portal.stop() }
  }
  try {
    const options = { seed: SEED, count: 150, lanes: 6, processes: 1, searches: 20 }
    const report = await proveNotices({
      ...options,
      setup: { databaseUrl: ownerUrl, startPortal: startInside },
    })
    expect(report).toMatchObject({ wrong: [], reconcile: {}, isClean: true })
    expect(report.fates.credited).toBeGreaterThan(25)
  } finally {
    await drop()
  }
}, 120_000)
