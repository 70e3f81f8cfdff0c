import { anOrder, aTransfer } from '#tests/support/bank.ts'
import { aPlayer } from '#tests/support/players.ts'
import { operators, type Probe, type Row } from './access-rows.ts'
import type { World } from './cast.ts'

const CASHIERS = ['owner', 'cashier'] as const
const MONEY_READERS = ['owner', 'cashier', 'support'] as const

/** As if a worker had made the run that an earlier caller asked for. */
const finishRuns = ({ portal }: World) =>
  portal.db
    .updateTable('reconciliation_run')
    .set({ finished_at: new Date() })
    .where('finished_at', 'is', null)
    .execute()

const orderOf = ({ orderCode }: World): Probe => ({ path: { code: orderCode } })
const nothingThere = () => ({ path: { id: '999999999' } })

const reason = 'Kiểm tra quyền'

/** Acts on several rows at once. */
export const SEVERAL_ACCESS: Record<string, Row> = {
  // Without ids.
  'GET /api/operator/bank-transfers/suggested-orders': operators(CASHIERS, 422),
  'POST /api/operator/bank-transfers/match': operators(CASHIERS, 200, async ({ portal }) => {
    const { code } = await anOrder(portal, await aPlayer(portal))
    return { body: { matches: [{ id: await aTransfer(portal), order_code: code }], reason } }
  }),
  'POST /api/operator/users/ban': operators(['owner'], 200, async ({ portal }) => ({
    body: { ids: [(await aPlayer(portal)).id], scope: 'trading', until: null, reason },
  })),
}

/** Operators' calls about orders, and those that compare money with the books. */
export const MONEY_ACCESS: Record<string, Row> = {
  'GET /api/operator/daily-closes': operators(MONEY_READERS, 200),
  'GET /api/operator/daily-closes.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/daily-closes/:id': operators(MONEY_READERS, 404, nothingThere),
  'POST /api/operator/daily-closes/:id/read-anew': operators(CASHIERS, 404, () => ({
    ...nothingThere(),
    body: { reason: 'Kiểm tra quyền' },
  })),
  'GET /api/operator/gateway-refunds': operators(MONEY_READERS, 200),
  'GET /api/operator/gateway-refunds.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/recharge-orders': operators(MONEY_READERS, 200),
  'GET /api/operator/recharge-orders.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/recharge-orders/:code': operators(MONEY_READERS, 200, orderOf),
  'GET /api/operator/recharge-orders/:code/notes': operators(MONEY_READERS, 200, orderOf),
  'POST /api/operator/recharge-orders/:code/notes': operators(MONEY_READERS, 204, (world) => ({
    ...orderOf(world),
    body: { note: 'Đã gọi lại' },
  })),
  // Paid to our own account: no provider holds it.
  'POST /api/operator/recharge-orders/:code/query': operators(CASHIERS, 409, (world) => ({
    path: { code: world.orderCode },
    body: { reason: 'Kiểm tra quyền' },
  })),
  'GET /api/operator/reconciliation': operators(MONEY_READERS, 200),
  'POST /api/operator/reconciliation': operators(CASHIERS, 200, async (world) => {
    await finishRuns(world)
    return { body: { reason: 'Kiểm tra quyền' } }
  }),
}
