import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPortal } from '#server/portal.ts'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { freePort } from '#tests/support/free-port.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { tortureDeliveries } from '../torture/deliveries/deliveries.ts'
import { emptyLog } from '../torture/deliveries/people.ts'
import { openSetup, type Setup, type Web } from '../torture/deliveries/setup.ts'

const NOTHING_WRONG = {
  open: 0,
  appliedTwice: 0,
  deliveredNotApplied: 0,
  refundedButApplied: 0,
  lost: 0,
  unasked: 0,
  contradictions: 0,
  balancesWrong: 0,
  luongWrong: 0,
  giftsTwice: 0,
  isClean: true,
}

async function startWeb(environment: Record<string, string>): Promise<Web> {
  const port = String(await freePort())
  const portal = await startPortal({ ...environment, PORT: port }, { isWeb: true, isWorker: false })
  return { url: `http://127.0.0.1:${port}`, end: () => portal.stop() }
}

let fresh: FreshDatabase
let setup: Setup
const log = emptyLog()
beforeAll(async () => {
  fresh = await freshDatabase()
  setup = await openSetup({ webs: 2, buyers: 4, operators: 2, databaseUrl: fresh.ownerUrl, startWeb })
})
afterAll(async () => {
  await setup.close()
  await fresh.drop()
})

test(
  'sixty purchases to a game that does everything wrong, workers killed: each ends once, goods or coins',
  { timeout: 90_000 },
  async () => {
    const report = await tortureDeliveries(
      setup,
      {
        seed: 20_261_121,
        deliveries: 60,
        killsEach: 1,
        gameKills: 1,
        pauseMs: 250,
        pace: { leaseSeconds: 0.7, callTimeoutMs: 500 },
        slowMs: 300,
        faultRate: 0.3,
        meddlingMsMax: 200,
        isHurried: true,
      },
      log,
    )
    // A storm this short may pass over a pause point or a kind of fault; the long one shows each of them.
    const { isClean: _isComplete, ...verdict } = NOTHING_WRONG
    expect(report).toMatchObject({ ...verdict, deliveries: 60 })
    expect(Object.values(report.workerKills).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
    expect(report.attempts).toBeGreaterThan(60)
  },
)
