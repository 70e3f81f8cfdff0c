import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { usePlanner } from '#tests/support/fixtures.ts'
import { AS_IF_LARGE, mostRowsRead } from '#tests/support/plans.ts'
import { aPlayer } from '#tests/support/players.ts'
import { listCandidates, listOpenClaims } from '../operator/claim-answers.queries.ts'

/** More than a list reaches, so that reading everything shows. */
const ROWS = 10_000

const portal = useTestApp()
const planner = usePlanner(portal)

beforeAll(async () => {
  const player = await aPlayer(portal)
  await planner.owner
    .query(`INSERT INTO recharge_claim (user_id, amount, paid_at, status, answered_at, answered_by, message)
      SELECT ${player.id}, 50000, now(), 'rejected', now(), ${player.id}, 'Chưa thấy' FROM generate_series(1, ${ROWS});
    INSERT INTO recharge_claim_note SELECT id, 'Em chuyển rồi' FROM recharge_claim;
    INSERT INTO help_case (user_id, about_kind, about_id, about_title) SELECT user_id, 'claim', id, 'Khoản chuyển' FROM recharge_claim;
    INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, booked_at, state)
      SELECT '001', 'in', 'FT' || n, 10000 * (1 + n % 3), timestamptz '2026-06-01' - n * interval '10 min', 'review'
        FROM generate_series(1, ${ROWS}) n`)
  await planner.owner.query('VACUUM ANALYZE')
  await planner.owner.query(AS_IF_LARGE)
})

test('open claims of an amount are found by it, and their cases by the claims', async () => {
  const { nodes } = await planner.plansOf(() => listOpenClaims(planner.db, [77_000, 78_000], 10))
  expect(mostRowsRead(nodes)).toBeLessThanOrEqual(20)
})

test('what an old claim may be about is looked for around its time only', async () => {
  const claim = { amount: 20_000, paid_at: '2025-11-10T00:00:00Z' }
  const { nodes } = await planner.plansOf(() => listCandidates(planner.db, claim, null))
  // Four days of an amount that every third transfer has.
  expect(mostRowsRead(nodes)).toBeLessThanOrEqual(200)
})
