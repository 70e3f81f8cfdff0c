import { expect, test } from 'vitest'
import { benchStreams } from '../bench/streams.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

/** `npm run bench -- streams` does the same with 1,000. */
test.runIf(hasAllCases)(
  'live pages receive an event long before they poll, and leave no handle behind',
  { timeout: 60_000 },
  async () => {
    const report = await benchStreams({ streams: 25, events: 3, restMs: 0 })
    expect(report.streams).toBe(25)
    expect(report.p50Ms).toBeLessThan(3_000)
    expect(report.handlesLeft).toBeLessThan(20)
  },
)
