import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SICK_DATABASES } from '#tests/support/sick/table.ts'
import { NOTICED_MS_MAX, startReady, useSickDatabase } from '#tests/support/sick/world.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const { environment, failureOfStart, superuser } = useSickDatabase()

// Each takes until the portal looks again; sick-database.db.test.ts has the ways of it always.
describe.runIf(hasAllCases)(
  'a portal that runs while its database falls ill',
  { timeout: 6 * NOTICED_MS_MAX },
  () => {
    let portal: Awaited<ReturnType<typeof startReady>>
    beforeAll(async () => void (portal = await startReady(environment())), NOTICED_MS_MAX)
    afterAll(() => portal.stop())

    test.each(Object.entries(SICK_DATABASES))('%s', async (_, { harm, mend, isBeside, ...said }) => {
      await portal.becomes(200, { status: 'ok' })
      await superuser(harm, isBeside)
      try {
        // What its connections had from their start goes with them.
        await superuser(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '@portal'`,
          true,
        )
        await portal.says(said)
      } finally {
        await superuser(mend, isBeside)
        expect(await failureOfStart()).toBeNull()
      }
      await portal.becomes(200, { status: 'ok' })
    })
  },
)
