import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { mostRowsRead, openPlanner, type Planner } from '#tests/support/plans.ts'
import { consentState, findLatest, listRecords } from './consents.queries.ts'

const PLAYERS = 100_000
const SAID = 4

const portal = useTestApp()
let planner: Planner
beforeAll(async () => {
  planner = await openPlanner(portal)
  await planner.owner.query(`SET session_replication_role = replica;
    INSERT INTO consent (user_id, subject, version, is_given, source)
      SELECT u, CASE n WHEN 1 THEN 'terms' WHEN 2 THEN 'privacy' ELSE 'pixel' END, 1, true, 'notice'
        FROM generate_series(1, ${SAID}) n, generate_series(1001, ${1000 + PLAYERS}) u`)
  await planner.owner.query('VACUUM ANALYZE')
})
afterAll(() => planner.close())

test('what one player said is found by index, at each visit too', async () => {
  const { nodes } = await planner.plansOf(async () => {
    const { rows } = await sql`SELECT ${consentState(sql`${'5000'}::bigint`)}`.execute(planner.db)
    expect(rows).toEqual([{ unread_texts: [], pixel_consent: true }])
    expect((await findLatest(planner.db, '5000', 'pixel'))?.given).toBe(true)
    expect(await listRecords(planner.db, '5000')).toHaveLength(SAID)
  })
  expect(mostRowsRead(nodes.filter((node) => node['Relation Name'] === 'consent'))).toBeLessThanOrEqual(SAID)
})
