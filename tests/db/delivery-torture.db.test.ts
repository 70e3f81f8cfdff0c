import { expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/postgres.ts'
import { tortureDeliveries } from '../torture/deliveries/deliveries.ts'
import { raceRefunds } from '../torture/deliveries/races.ts'

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

test(
  'sixty purchases to a game that does everything wrong, workers killed: each ends once, goods or coins',
  { timeout: 120_000 },
  async () => {
    const fresh = await freshDatabase()
    const report = await tortureDeliveries({
      seed: 20_261_121,
      deliveries: 60,
      buyers: 4,
      killsEach: 1,
      gameKills: 1,
      pauseMs: 300,
      pace: { leaseSeconds: 1, callTimeoutMs: 600 },
      slowMs: 400,
      isHurried: true,
      databaseUrl: fresh.ownerUrl,
    })
    await fresh.drop()
    expect(report).toMatchObject(NOTHING_WRONG)
    expect(report.deliveries).toBe(60)
    expect(report.attempts).toBeGreaterThan(60)
  },
)

test(
  'two operators and a worker at once: one end, and both are told the same',
  { timeout: 60_000 },
  async () => {
    const fresh = await freshDatabase()
    const report = await raceRefunds({ seed: 20_261_121, rounds: 15, databaseUrl: fresh.ownerUrl })
    await fresh.drop()
    expect(report).toMatchObject({ ...NOTHING_WRONG, rounds: 15, disagreements: 0 })
  },
)
