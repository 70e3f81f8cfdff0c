import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAuditChain } from '#server/modules/audit/audit.service.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { databaseBefore, type DatabaseBefore } from '#tests/support/database-before.ts'

let database: DatabaseBefore
const acting: Client[] = []
beforeAll(async () => {
  database = await databaseBefore('0056-audit-lines.sql')
  await database.client.query(`INSERT INTO installation (name, value) VALUES ('hash_key', 'key')`)
  for (let n = 0; n < 3; n++) {
    const client = new Client({ connectionString: database.ownerUrl })
    await client.connect()
    acting.push(client)
  }
}, 60_000)
afterAll(async () => {
  for (const client of acting) await client.end()
  await database.drop()
})

const append = (id: string) =>
  `SELECT audit_append('system', NULL, 'tests.note', 'test', '${id}', NULL, '{}', NULL, NULL, NULL)`

/** Until so many connections wait for a lock. */
async function waiting(count: number): Promise<void> {
  for (;;) {
    const { rows } = await acting[0]!.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    if (rows.length === count) return
    await sleep(10)
  }
}

test('the trail gets its lines while acts go on: each of them is chained, and none fails', async () => {
  const [one, other, third] = acting as [Client, Client, Client]
  for (const client of acting) await client.query(append('before'))
  await one.query(`BEGIN; ${append('open')}`)
  const waits = other.query(append('waits'))
  await waiting(1)
  const migrated = database.client.query(`BEGIN; ${database.sql}`)
  await waiting(2)
  const late = third.query(append('late'))
  await waiting(3)
  await one.query('COMMIT')
  await Promise.all([waits, migrated])
  await database.client.query('COMMIT')
  await late
  await one.query(append('after'))
  const { rows } = await one.query(
    `SELECT subject_id, line IS NULL AS is_first FROM audit_log WHERE seq > 3 ORDER BY seq`,
  )
  expect(rows).toEqual([
    { subject_id: 'open', is_first: true },
    { subject_id: 'waits', is_first: true },
    { subject_id: 'late', is_first: true },
    { subject_id: 'after', is_first: false },
  ])
  const db = openDatabase({ url: database.ownerUrl, log: openLog('error'), connectionsMax: 1 })
  expect(await verifyAuditChain(db)).toMatchObject({ rows: 7, faults: [] })
  await db.destroy()
})
