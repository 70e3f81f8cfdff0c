import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment } from '../envelope.ts'
import { channelFilter, person, storable } from './act-fields.ts'
import { ORDER_STATUSES } from '../recharge.ts'
import { amountFilter, growingListQuery, oneOrMany } from './list.ts'
import { permitted } from './roles.ts'

const codeFilter = z.string().check(z.trim(), z.toUpperCase(), z.maxLength(32), storable)

/** `id` is the code itself, since a console's lists want one. */
export const operatorOrderSchema = z.object({
  id: z.string(),
  code: z.string(),
  user: person,
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
  list: endpoint('GET', '/operator/recharge-orders', permitted('recharge-orders.read'), {
    summary:
      'Recharge orders in the order they were placed. `id` and `code` are an order’s code, `user` is a username. At most 10,000 are counted.',
    query: growingListQuery(
      ['id', 'created_at'],
      {
        id: z.optional(oneOrMany(codeFilter)),
        code: z.optional(codeFilter),
        status: z.optional(z.enum(ORDER_STATUSES)),
        channel: z.optional(channelFilter),
        user: z.optional(z.string().check(z.trim(), z.maxLength(20), storable)),
        amount: z.optional(amountFilter),
      },
      codeFilter,
    ),
    answer: z.array(operatorOrderSchema),
  }),
  get: endpoint('GET', '/operator/recharge-orders/{code}', permitted('recharge-orders.read'), {
    summary: 'One recharge order.',
    params: z.object({ code: z.string().check(z.maxLength(32)) }),
    answer: operatorOrderSchema,
    errors: ['NOT_FOUND'],
  }),
}
