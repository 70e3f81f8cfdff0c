import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSIONS } from '#contract/operator/roles.ts'
import { useTestApp } from '#tests/support/app.ts'
import { AS_IF_LARGE, openPlanner, readWhole, type Planner } from '#tests/support/plans.ts'
import { listAlarms, readWaiting } from './alarms.service.ts'

const portal = useTestApp()
let planner: Planner
beforeAll(async () => {
  planner = await openPlanner(portal)
  await planner.owner.query(AS_IF_LARGE)
})
afterAll(() => planner.close())

const GROWING =
  /^(bank_transaction|payment_event|recharge_claim|proposal|deletion_request|gateway_refund|delivery|daily_close|mail_outbox)$/

test('alarms and the counters of the menu read no growing table from end to end', async () => {
  const everything = { permissions: PERMISSIONS }
  const { queries, nodes } = await planner.plansOf(async () => {
    await listAlarms({ ...portal.deps, db: planner.db }, everything)
    await readWaiting(planner.db, everything)
  })
  expect(queries).toBe(2)
  expect(readWhole(nodes, GROWING)).toEqual([])
})
