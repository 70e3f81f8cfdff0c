import { expect, test } from 'vitest'
import { tortureNotices } from '../torture/notices/notices.ts'

test(
  'four providers that tell of transfers out of order, again and again, late and mangled are believed exactly once',
  { timeout: 180_000 },
  async () => {
    const report = await tortureNotices({ seed: 20_261_121, notices: 200, lanes: 6 })
    expect(report).toMatchObject({ wrongAnswers: [], wrongFates: [], notOnce: [], wallets: 0, isClean: true })
    expect(report.inbox).toMatchObject({ listed: report.review, missing: [], twice: [] })
    expect(report.closing.differences).toEqual([])
    expect(Math.min(report.credited, report.review, report.ignored)).toBeGreaterThan(5)
    expect(report.closing.closes).toBeGreaterThan(5)
  },
)
