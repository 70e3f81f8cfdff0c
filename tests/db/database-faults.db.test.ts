import { Client } from 'pg'
import { expect, test } from 'vitest'
import { watchFaults } from '#server/platform/db/faults.ts'
import { openLog } from '#server/platform/log/log.ts'
import { metricsText } from '#server/platform/metrics/metrics.ts'
import { useTestApp } from '#tests/support/app.ts'
import { eventually } from '#tests/support/purchases.ts'

const portal = useTestApp()

test('a table that somebody has locked hides no other fault of the database', async () => {
  const owner = new Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  try {
    await owner.query('BEGIN')
    await owner.query('LOCK TABLE posts IN ACCESS EXCLUSIVE MODE')
    const watching = watchFaults(portal.db, openLog('silent'))
    try {
      // A crash may damage the server of the tests.
      await eventually(async () =>
        expect(await metricsText()).toContain('portal_database_faults{fault="not-durable"} 1'),
      )
    } finally {
      await watching.stop()
    }
  } finally {
    await owner.end()
  }
})
