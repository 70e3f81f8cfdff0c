import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metricsText, PLATFORM_METRICS } from '#server/platform/metrics/metrics.ts'
import { HARMS } from '#tests/support/sick-databases.ts'
import { NOTICED_MS_MAX, startReady, useSickDatabase } from '#tests/support/sick-set-ups.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const { environment, failureOfStart, superuser } = useSickDatabase()

/** The reasons for which the alarm rings. */
async function ringing(): Promise<string[]> {
  const text = await metricsText()
  const reasons = PLATFORM_METRICS.portal_database_refuses_changes.labels.reason
  return reasons.filter((reason) => text.includes(`portal_database_refuses_changes{reason="${reason}"} 1`))
}

// Each takes until the portal looks again; sick-database.db.test.ts has the ways of it always.
describe.runIf(hasAllCases)(
  'a portal that runs while its database falls ill',
  { timeout: 6 * NOTICED_MS_MAX },
  () => {
    let portal: Awaited<ReturnType<typeof startReady>>
    beforeAll(async () => void (portal = await startReady(environment())), NOTICED_MS_MAX)
    afterAll(() => portal.stop())

    test.each(Object.entries(HARMS))('%s', async (_, { harm, mend, ready, isBeside }) => {
      await portal.becomes(200, { status: 'ok' })
      await superuser(harm, isBeside)
      try {
        // What its connections had from their start goes with them.
        await superuser(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '@portal'`,
          true,
        )
        await portal.becomes(ready.status === 'ok' ? 200 : 503, ready)
        expect(await ringing()).toEqual(ready.reason === undefined ? [] : [ready.reason])
      } finally {
        await superuser(mend, isBeside)
        expect(await failureOfStart()).toBeNull()
      }
      await portal.becomes(200, { status: 'ok' })
    })
  },
)
