import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../envelope.ts'
import { ORDER_STATUSES } from '../recharge.ts'
import { listQuery } from './list.ts'

/** `id` is the code itself, since a console's lists want one. */
export const operatorOrderSchema = z.object({
  id: z.string(),
  code: z.string(),
  user: z.object({ id: idText, username: z.string() }),
  channel: z.number(),
  /** VND asked for, and TCoin per VND as promised. */
  amount: z.number(),
  rate: z.number(),
  credited: z.number(),
  status: z.enum(ORDER_STATUSES),
  account_number: z.string(),
  created_at: moment,
  expires_at: moment,
  paid_at: z.nullable(moment),
})

export type OperatorOrder = z.output<typeof operatorOrderSchema>

export const operatorRechargeOrders = {
  list: endpoint({
    method: 'GET',
    path: '/operator/recharge-orders',
    access: { permission: 'recharge-orders.read' },
    summary:
      'Recharge orders, by status, channel, user (username), code, amount. At most 10,000 are counted.',
    query: listQuery,
    answer: z.array(operatorOrderSchema),
  }),
  get: endpoint({
    method: 'GET',
    path: '/operator/recharge-orders/{code}',
    access: { permission: 'recharge-orders.read' },
    summary: 'One recharge order.',
    params: z.object({ code: z.string().check(z.maxLength(32)) }),
    answer: operatorOrderSchema,
    errors: ['NOT_FOUND'],
  }),
}
