import { expect, test } from 'vitest'
import { hasAllCases } from '#tests/support/test-run.ts'
import { tortureRetention } from '../torture/retention/retention.ts'

test.runIf(hasAllCases)(
  'while clients trade, jobs remove what is too old from every table, and nothing else',
  { timeout: 180_000 },
  async () => {
    // More than a batch of each job.
    const report = await tortureRetention({
      seed: 20_261_122,
      old: 1_200,
      young: 200,
      players: 4,
      seconds: 1,
      jobsSecondsMax: 60,
    })
    expect([report.tooOld, report.youngGone]).toEqual([{}, {}])
    expect(report).toMatchObject({
      keysGone: 0,
      books: {},
      reconcile: {},
      isClean: true,
    })
    expect(report.acknowledged).toBeGreaterThan(10)
  },
)
