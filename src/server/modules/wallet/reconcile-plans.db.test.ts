import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { openPlanner, type Planner } from '#tests/support/plans.ts'
import { reconcileQueries } from './reconcile.queries.ts'

const portal = useTestApp()
let planner: Planner

beforeAll(async () => {
  planner = await openPlanner(portal)
})
afterAll(() => planner.close())

test('what keys point at is joined, not looked up again for each of millions of keys', async () => {
  const r11 = reconcileQueries.find(({ check }) => check === 'R11')
  const { queries, nodes } = await planner.plansOf(() =>
    planner.db.transaction().execute(async (tx) => r11?.find(tx)),
  )
  expect(queries).toBe(1)
  const read = nodes.filter((node) => node['Relation Name'] !== undefined)
  expect(read.map((node) => node['Relation Name']).sort()).toEqual([
    'activation',
    'delivery',
    'idempotency_key',
    'ledger_transfer',
    'payment_order',
  ])
  expect(nodes.filter((node) => node['Parent Relationship'] === 'SubPlan')).toEqual([])
})
