import { aTransfer } from '#tests/support/bank.ts'
import { ask } from './ask.ts'
import type { World } from './cast.ts'

export const asOwner =
  (method: string, path: string, body?: unknown) =>
  ({ portal, owner }: World) =>
    ask(portal, { method, path, token: owner.token, body })

export const owner = (world: World) => world.owner.id

/** Acts of the owner on money that came in. */
export const ON_TRANSFERS = [
  {
    what: 'an operator’s credit of a transfer',
    act: async (world: World) => {
      const path = `/api/operator/bank-transfers/${await aTransfer(world.portal)}/credit`
      return asOwner('POST', path, { user_id: world.other.id, reason: 'Kiểm tra' })(world)
    },
    status: 200,
    says: { route: '/api/operator/bank-transfers/:id/credit', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s refund at MoMo of money that did not come by it',
    act: async (world: World) => {
      const path = `/api/operator/bank-transfers/${await aTransfer(world.portal)}/refund-at-gateway`
      return asOwner('POST', path, { reason: 'Kiểm tra' })(world)
    },
    status: 422,
    says: { route: '/api/operator/bank-transfers/:id/refund-at-gateway', refusal: 'VALIDATION' },
    who: owner,
  },
  {
    what: 'an operator’s reading anew of a day that was never closed',
    act: asOwner('POST', '/api/operator/daily-closes/999999999/read-anew', { reason: 'Kiểm tra' }),
    status: 404,
    says: { route: '/api/operator/daily-closes/:id/read-anew', status: 404, refusal: 'NOT_FOUND' },
    who: owner,
  },
  {
    what: 'an operator’s question about an order that no provider holds',
    act: (world: World) =>
      asOwner('POST', `/api/operator/recharge-orders/${world.orderCode}/query`, { reason: 'Kiểm tra' })(
        world,
      ),
    status: 409,
    says: { route: '/api/operator/recharge-orders/:code/query', status: 409, refusal: 'CONFLICT' },
    who: owner,
  },
  {
    what: 'an operator’s note about an order',
    act: (world: World) =>
      asOwner('POST', `/api/operator/recharge-orders/${world.orderCode}/notes`, { note: 'Đã gọi' })(world),
    status: 204,
    says: { route: '/api/operator/recharge-orders/:code/notes', status: 204 },
    who: owner,
  },
  {
    what: 'an operator’s match of several transfers',
    act: async (world: World) => {
      const matches = [{ id: await aTransfer(world.portal), order_code: 'TCX7K2QF9XAMM' }]
      return asOwner('POST', '/api/operator/bank-transfers/match', { matches, reason: 'Kiểm tra' })(world)
    },
    status: 200,
    says: { route: '/api/operator/bank-transfers/match', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s ban of several players',
    act: asOwner('POST', '/api/operator/users/ban', {
      ids: ['999999999'],
      scope: 'trading',
      until: null,
      reason: 'Kiểm tra',
    }),
    status: 200,
    says: { route: '/api/operator/users/ban', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s start of a reconciliation',
    act: asOwner('POST', '/api/operator/reconciliation', { reason: 'Kiểm tra' }),
    status: 200,
    says: { route: '/api/operator/reconciliation', method: 'POST', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s approval where nobody proposed anything',
    act: async (world: World) => {
      const path = `/api/operator/bank-transfers/${await aTransfer(world.portal)}/approve`
      return asOwner('POST', path, { reason: 'Kiểm tra' })(world)
    },
    status: 409,
    says: { route: '/api/operator/bank-transfers/:id/approve', refusal: 'CONFLICT' },
    who: owner,
  },
  {
    what: 'an operator’s settling of a debt there is not',
    act: (world: World) =>
      asOwner('POST', `/api/operator/users/${world.other.id}/settle-debt`, { reason: 'Kiểm tra' })(world),
    status: 409,
    says: { route: '/api/operator/users/:id/settle-debt', refusal: 'CONFLICT' },
    who: owner,
  },
]
