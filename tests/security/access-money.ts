import { FormFields } from '#tests/support/uploads.ts'
import { randomUUID } from 'node:crypto'
import { anOrder, aTransfer } from '#tests/support/bank.ts'
import { aPlayer } from '#tests/support/players.ts'
import { fundedBudget, promotionFields } from '#tests/support/promotions.ts'
import {
  acts,
  CASHIERS,
  EDITORS,
  MONEY_READERS,
  nothingThere,
  operators,
  OWNER,
  type Probe,
  type Rows,
} from './access-rows.ts'
import type { World } from './cast.ts'

/** As if a worker had made the run that an earlier caller started. */
const finishRuns = ({ portal }: World) =>
  portal.db
    .updateTable('reconciliation_run')
    .set({ finished_at: new Date() })
    .where('finished_at', 'is', null)
    .execute()

const endComparisons = ({ portal }: World) =>
  portal.db
    .updateTable('game_comparison')
    .set({ state: 'failed', finished_at: new Date() })
    .where('state', '=', 'running')
    .execute()

const MILESTONES = {
  title: 'Mốc nạp tuần',
  starts_at: '2026-01-01T00:00:00Z',
  ends_at: '2099-01-01T00:00:00Z',
  claims_until: '2099-01-02T00:00:00Z',
  steps: [{ at: 100_000, goods: [{ kind: 'luong', quantity: 1 }] }],
}

/** Of a batch of gift codes. */
const CODES = {
  title: 'Mã Tết',
  coins: 500,
  goods: null,
  starts_at: '2026-01-01T00:00:00Z',
  ends_at: '2099-01-01T00:00:00Z',
  codes: 1,
  uses_per_code: 10,
  per_player: 1,
  server_id: null,
}

const orderOf =
  (body?: object) =>
  ({ orderCode }: World): Probe => ({ path: { code: orderCode }, ...(body && { body }) })
const claimOf =
  (body?: object) =>
  ({ claimId }: World): Probe => ({ path: { id: claimId }, ...(body && { body }) })
/** A bank transfer in review, created again for each caller. */
const someTransfer =
  (body: object = {}) =>
  async ({ portal }: World): Promise<Probe> => ({ path: { id: await aTransfer(portal) }, body })
const someDelivery = async (world: World): Promise<Probe> => ({
  path: { id: await world.aStrangersDelivery() },
  body: { evidence: 'Ảnh chụp' },
})

/** Operators' calls on orders, claims, transfers and deliveries, and on what compares money with the books. */
const aStatement = { path: { id: '999999999' }, body: new FormFields({ reason: 'Kiểm tra quyền' }) }
const someFigures = {
  path: { id: '999999999' },
  body: new FormFields({
    in_count: '0',
    in_vnd: '0',
    out_count: '0',
    out_vnd: '0',
    reason: 'Kiểm tra quyền',
  }),
}

export const MONEY_ACCESS: Rows = {
  'GET /api/operator/recharge-claims/:id': operators(MONEY_READERS, 200, claimOf()),
  'GET /api/operator/recharge-claims/:id/picture': operators(MONEY_READERS, 200, claimOf()),
  // Repeating an answer is refused.
  'POST /api/operator/recharge-claims/:id/answer': acts(
    MONEY_READERS,
    200,
    claimOf({ outcome: 'rejected', message: 'Chưa thấy khoản này.', reason: 'Không có trong sao kê' }),
  ),

  'GET /api/operator/daily-closes': operators(MONEY_READERS, 200),
  'GET /api/operator/daily-closes.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/daily-closes/:id': operators(MONEY_READERS, 404, nothingThere),
  'POST /api/operator/daily-closes/:id/read-anew': acts(CASHIERS, 404, nothingThere),
  'POST /api/operator/daily-closes/:id/statement-file': operators(CASHIERS, 404, () => aStatement),
  'POST /api/operator/daily-closes/:id/statement-file/read': operators(CASHIERS, 404, () => aStatement),
  'POST /api/operator/daily-closes/:id/figures': operators(CASHIERS, 404, () => someFigures),
  'GET /api/operator/daily-closes/:id/picture': operators(MONEY_READERS, 404, nothingThere),
  'GET /api/operator/gateway-refunds': operators(MONEY_READERS, 200),
  'GET /api/operator/gateway-refunds.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/recharge-orders': operators(MONEY_READERS, 200),
  'GET /api/operator/recharge-orders.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/recharge-orders/:code': operators(MONEY_READERS, 200, orderOf()),
  'GET /api/operator/recharge-orders/:code/notes': operators(MONEY_READERS, 200, orderOf()),
  'POST /api/operator/recharge-orders/:code/notes': operators(
    MONEY_READERS,
    204,
    orderOf({ note: 'Đã gọi lại' }),
  ),
  // Paid to our own account: no provider holds it.
  'POST /api/operator/recharge-orders/:code/query': acts(CASHIERS, 409, orderOf()),
  'GET /api/operator/reconciliation': operators(MONEY_READERS, 200),
  'POST /api/operator/reconciliation': acts(CASHIERS, 200, async (world) => {
    await finishRuns(world)
    return {}
  }),
  'GET /api/operator/statistics': operators(CASHIERS, 200),
  'GET /api/operator/statistics.csv': operators(CASHIERS, 200),
  'GET /api/operator/statistics/parts': operators(CASHIERS, 200),
  'GET /api/operator/statistics/hours': operators(CASHIERS, 200),
  'GET /api/operator/statistics/cohorts': operators(CASHIERS, 200),
  'GET /api/operator/campaign-reports/:kind/:id': operators(CASHIERS, 422),
  'GET /api/operator/campaign-reports/:kind/:id.csv': operators(CASHIERS, 422),

  'GET /api/operator/bank-transfers': operators(MONEY_READERS, 200),
  'GET /api/operator/bank-transfers.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/bank-transfers/:id': operators(MONEY_READERS, 200, someTransfer()),
  // Without ids.
  'GET /api/operator/bank-transfers/suggested-orders': operators(CASHIERS, 422),
  'POST /api/operator/bank-transfers/match': acts(CASHIERS, 200, async ({ portal }) => {
    const { code } = await anOrder(portal, await aPlayer(portal))
    return { body: { matches: [{ id: await aTransfer(portal), order_code: code }] } }
  }),
  'POST /api/operator/bank-transfers/:id/match': acts(
    CASHIERS,
    422,
    someTransfer({ order_code: 'TCX7K2QF9XAMM' }),
  ),
  'POST /api/operator/bank-transfers/:id/credit': acts(CASHIERS, 200, async (world) =>
    someTransfer({ user_id: world.cast.newcomer?.id })(world),
  ),
  'POST /api/operator/bank-transfers/:id/refund': acts(
    CASHIERS,
    200,
    someTransfer({ outgoing_reference: 'FT1', refunded_on: '2026-01-01' }),
  ),
  // It did not come by MoMo.
  'POST /api/operator/bank-transfers/:id/refund-at-gateway': acts(CASHIERS, 422, someTransfer()),
  'POST /api/operator/bank-transfers/:id/ignore': acts(CASHIERS, 200, someTransfer()),
  // An incoming transfer, not credited, without a proposal.
  'POST /api/operator/bank-transfers/:id/link-reversal': acts(
    CASHIERS,
    409,
    someTransfer({ original_id: '1' }),
  ),
  'POST /api/operator/bank-transfers/:id/reverse-credit': acts(OWNER, 409, someTransfer()),
  'POST /api/operator/bank-transfers/:id/approve': acts(CASHIERS, 409, someTransfer()),
  'POST /api/operator/bank-transfers/:id/reject': acts(CASHIERS, 409, someTransfer()),
  'POST /api/operator/bank-transfers/:id/withdraw': acts(CASHIERS, 409, someTransfer()),
  'GET /api/operator/cases': operators(MONEY_READERS, 200),
  'GET /api/operator/cases/:id': operators(MONEY_READERS, 404, nothingThere),
  'GET /api/operator/cases/:id/pictures/:picture': operators(MONEY_READERS, 404, () => ({
    path: { id: '999999999', picture: '999999999' },
  })),
  'POST /api/operator/cases/:id/messages': operators(MONEY_READERS, 404, () => ({
    ...nothingThere(),
    body: { text: 'Đội hỗ trợ đang xem' },
  })),
  'POST /api/operator/cases/:id/assign': acts(MONEY_READERS, 404, () => ({
    ...nothingThere(),
    body: { username: null },
  })),
  'POST /api/operator/cases/:id/close': acts(MONEY_READERS, 404, nothingThere),
  'POST /api/operator/cases/:id/reopen': acts(MONEY_READERS, 404, nothingThere),
  'GET /api/operator/answer-templates': operators(MONEY_READERS, 200),
  'POST /api/operator/answer-templates': acts(MONEY_READERS, 201, () => ({
    body: { title: `Mẫu ${randomUUID()}`, text: 'Chào bạn' },
  })),
  'PUT /api/operator/answer-templates/:id': acts(MONEY_READERS, 404, () => ({
    ...nothingThere(),
    body: { title: 'Mẫu', text: 'Chào bạn', updated_at: '2026-01-01T00:00:00Z' },
  })),
  'DELETE /api/operator/answer-templates/:id': acts(MONEY_READERS, 404, nothingThere),
  'GET /api/operator/budgets': operators(MONEY_READERS, 200),
  'POST /api/operator/budgets': acts(OWNER, 201, () => ({ body: { title: `Ngân sách ${randomUUID()}` } })),
  'POST /api/operator/budgets/:id/fund': acts(OWNER, 404, () => ({ ...nothingThere(), body: { amount: 1 } })),
  'GET /api/operator/promotions': operators(OWNER, 200),
  // Without terms.
  'POST /api/operator/promotions/preview': operators(OWNER, 422, () => ({ body: {} })),
  'POST /api/operator/promotions': acts(OWNER, 201, async ({ portal }) => ({
    body: promotionFields({ budget_id: await fundedBudget(portal, 0) }),
  })),
  'PUT /api/operator/promotions/:id': acts(OWNER, 404, async ({ portal }) => ({
    ...nothingThere(),
    body: promotionFields({
      budget_id: await fundedBudget(portal, 0),
      updated_at: '2026-01-01T00:00:00Z',
    }),
  })),
  'POST /api/operator/promotions/:id/start': acts(OWNER, 404, nothingThere),
  'POST /api/operator/promotions/:id/stop': acts(OWNER, 404, nothingThere),
  'GET /api/operator/milestones': operators(OWNER, 200),
  'POST /api/operator/milestones': acts(OWNER, 201, () => ({
    body: MILESTONES,
  })),
  'PUT /api/operator/milestones/:id': acts(OWNER, 404, () => ({
    ...nothingThere(),
    body: { ...MILESTONES, updated_at: '2026-01-01T00:00:00Z' },
  })),
  'POST /api/operator/milestones/:id/start': acts(OWNER, 404, nothingThere),
  'POST /api/operator/milestones/:id/stop': acts(OWNER, 404, nothingThere),
  'GET /api/operator/check-ins': operators(EDITORS, 200),
  'GET /api/operator/gift-code-batches': operators(OWNER, 200),
  'POST /api/operator/gift-code-batches': acts(OWNER, 201, async ({ portal }) => ({
    body: { ...CODES, budget_id: await fundedBudget(portal, 0) },
  })),
  'PUT /api/operator/gift-code-batches/:id': acts(OWNER, 404, () => ({
    ...nothingThere(),
    body: { ...CODES, updated_at: '2026-01-01T00:00:00Z', budget_id: '999999999' },
  })),
  'POST /api/operator/gift-code-batches/:id/start': acts(OWNER, 404, nothingThere),
  'POST /api/operator/gift-code-batches/:id/stop': acts(OWNER, 404, nothingThere),
  'GET /api/operator/gift-code-uses': operators(OWNER, 200),
  'GET /api/operator/invitation-rewards': operators(MONEY_READERS, 200),
  'POST /api/operator/invitation-rewards/:id/grant': acts(OWNER, 404, nothingThere),
  'POST /api/operator/invitation-rewards/:id/refuse': acts(OWNER, 404, nothingThere),
  'GET /api/operator/ledger-transfers': operators(MONEY_READERS, 200),
  'GET /api/operator/ledger-transfers.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/ledger-transfers/:id': operators(MONEY_READERS, 404, nothingThere),
  'GET /api/operator/payment-events': operators(MONEY_READERS, 200),
  'GET /api/operator/payment-events.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/payment-events/:id': operators(MONEY_READERS, 404, nothingThere),
  'POST /api/operator/payment-events/:id/accept': acts(CASHIERS, 404, nothingThere),
  'POST /api/operator/payment-events/:id/dismiss': acts(CASHIERS, 404, nothingThere),
  'POST /api/operator/users/:id/settle-debt': acts(CASHIERS, 409, ({ other }) => ({
    path: { id: other.id },
  })),

  'GET /api/operator/proposals': operators(CASHIERS, 200),
  'POST /api/operator/proposals/:id/approve': acts(CASHIERS, 404, nothingThere),
  'POST /api/operator/proposals/:id/reject': acts(CASHIERS, 404, nothingThere),
  'POST /api/operator/proposals/:id/withdraw': acts(CASHIERS, 404, nothingThere),

  'GET /api/operator/deliveries': operators(MONEY_READERS, 200),
  'GET /api/operator/deliveries.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/deliveries/:id': operators(MONEY_READERS, 200, someDelivery),
  // A new purchase is neither parked nor delivered.
  'POST /api/operator/deliveries/:id/retry': acts(CASHIERS, 409, someDelivery),
  'POST /api/operator/deliveries/:id/settle': acts(CASHIERS, 409, someDelivery),
  'GET /api/operator/deliveries/:id/attempts': operators(MONEY_READERS, 200, someDelivery),
  'GET /api/operator/game-bridge': operators(MONEY_READERS, 200),
  'POST /api/operator/deliveries/:id/ask': acts(CASHIERS, 200, someDelivery),
  'POST /api/operator/deliveries/retry': acts(CASHIERS, 200, () => ({ body: { ids: [randomUUID()] } })),
  'POST /api/operator/deliveries/:id/refund': acts(CASHIERS, 200, someDelivery),
  'GET /api/operator/game-comparison': operators(MONEY_READERS, 200),
  'POST /api/operator/game-comparison': acts(CASHIERS, 200, async (world) => {
    await endComparisons(world)
    return {}
  }),
  'GET /api/operator/missing-deliveries': operators(MONEY_READERS, 200),
  'GET /api/operator/missing-deliveries.csv': operators(MONEY_READERS, 200),
  'POST /api/operator/missing-deliveries/give-again': acts(CASHIERS, 404, () => ({
    body: { comparison: '999999999' },
  })),
}
