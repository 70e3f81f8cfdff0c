import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { usePlanner } from '#tests/support/fixtures.ts'
import { reconcileQueries } from './reconcile.queries.ts'

const portal = useTestApp()
const planner = usePlanner(portal)

beforeAll(async () => {})

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
