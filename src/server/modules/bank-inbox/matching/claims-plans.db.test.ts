import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import { operatorClaims } from '#contract/operator/recharge.ts'
import { useTestApp } from '#tests/support/app.ts'
import { usePlanner } from '#tests/support/fixtures.ts'
import { AS_IF_LARGE, mostRowsRead } from '#tests/support/plans.ts'
import { aPlayer } from '#tests/support/players.ts'
import { countAllClaims, listAllClaims, listCandidates } from '../operator/claim-answers.queries.ts'

/** More than a list reaches, so that reading everything shows. */
const ROWS = 30_000

const portal = useTestApp()
const planner = usePlanner(portal)

beforeAll(async () => {
  const player = await aPlayer(portal)
  await planner.owner
    .query(`INSERT INTO recharge_claim (user_id, amount, paid_at, status, answered_at, answered_by, message)
      SELECT ${player.id}, 50000, now(), 'rejected', now(), ${player.id}, 'Chưa thấy' FROM generate_series(1, ${ROWS});
    INSERT INTO recharge_claim_note SELECT id, 'Em chuyển rồi' FROM recharge_claim;
    INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, booked_at, state)
      SELECT '001', 'in', 'FT' || n, 10000 * (1 + n % 3), timestamptz '2026-06-01' - n * interval '10 min', 'review'
        FROM generate_series(1, ${ROWS}) n`)
  await planner.owner.query('VACUUM ANALYZE')
  await planner.owner.query(AS_IF_LARGE)
})

describe('the operators’ list', () => {
  const last = { order: 'desc', from: LIST_REACH_MAX - 25, to: LIST_REACH_MAX - 1 } as const

  test('counts no further than it reaches', async () => {
    const { nodes } = await planner.plansOf(() =>
      countAllClaims(planner.db, { status: ['settled', 'rejected'] }),
    )
    expect(mostRowsRead(nodes)).toBeLessThanOrEqual(LIST_REACH_MAX)
  })

  test('refuses what lies beyond', async () => {
    expect(await countAllClaims(planner.db, {})).toBe(LIST_REACH_MAX)
    const range = (to: number) => ({ range: JSON.stringify([to - 24, to]) })
    expect(z.safeParse(operatorClaims.list.query!, range(LIST_REACH_MAX - 1)).success).toBe(true)
    expect(z.safeParse(operatorClaims.list.query!, range(LIST_REACH_MAX)).success).toBe(false)
  })

  test('goes on behind a row that lies deeper than it counts, reading no more than a page', async () => {
    const { nodes } = await planner.plansOf(() =>
      listAllClaims(planner.db, {}, { order: 'asc', from: 0, to: 24, after: String(LIST_REACH_MAX + 5_000) }),
    )
    expect(mostRowsRead(nodes)).toBeLessThanOrEqual(25)
  })

  test('reads the notes and pictures of its page only', async () => {
    const { nodes } = await planner.plansOf(() => listAllClaims(planner.db, {}, last))
    const notes = nodes.filter((node) => node['Relation Name'] === 'recharge_claim_note')
    expect(notes.length).toBeGreaterThan(0)
    expect(mostRowsRead(notes)).toBeLessThanOrEqual(25)
  })
})

test('what an old claim may be about is looked for around its time only', async () => {
  const claim = { amount: 20_000, paid_at: '2025-11-10T00:00:00Z' }
  const { nodes } = await planner.plansOf(() => listCandidates(planner.db, claim, null))
  // Four days of an amount that every third transfer has.
  expect(mostRowsRead(nodes)).toBeLessThanOrEqual(200)
})
