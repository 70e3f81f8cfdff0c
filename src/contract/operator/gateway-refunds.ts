import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../fields.ts'
import { growingListQuery, idFilter, person, reason, usernameFilter } from './fields.ts'
import { permitted } from './roles.ts'

const REFUND_STATES = ['asked', 'done', 'failed'] as const

/** Money that was to go back by MoMo's gateway. */
export const gatewayRefundSchema = z.object({
  id: idText,
  /** What MoMo calls it. */
  refund_order: z.string(),
  /** VND. */
  amount: z.number(),
  /** `asked`: MoMo has not answered yet, and is queried until it does. */
  state: z.enum(REFUND_STATES),
  /** By what MoMo refused; null also where the request never reached it. */
  result_code: z.nullable(z.int()),
  asked_by: person,
  reason: z.string(),
  asked_at: moment,
  decided_at: z.nullable(moment),
})

/** What MoMo sends back at once. */
export const REFUND_MIN_VND = 1_000
export const REFUND_MAX_VND = 50_000_000

/** VND; everything that is left when it is not named. */
export const refundAtGatewayBody = z.object({
  amount: z.nullish(
    z
      .int('Số tiền phải là số nguyên')
      .check(
        z.gte(REFUND_MIN_VND, 'Mỗi lần hoàn tối thiểu 1,000 VND'),
        z.lte(REFUND_MAX_VND, 'Mỗi lần hoàn tối đa 50,000,000 VND'),
      ),
  ),
  reason,
})
export type GatewayRefund = z.output<typeof gatewayRefundSchema>

const listedRefundSchema = z.object({
  ...gatewayRefundSchema.shape,
  bank_transfer_id: idText,
  /** Of the payment that goes back; null where it had none, or belongs to nobody. */
  order_code: z.nullable(z.string()),
  user: z.nullable(person),
})

export type ListedRefund = z.output<typeof listedRefundSchema>

export const operatorGatewayRefunds = {
  list: endpoint('GET', '/operator/gateway-refunds', permitted('bank-transfers.read'), {
    summary:
      'Refunds at MoMo’s gateway in the order they were asked for. `asked_by` is an operator’s username.',
    query: growingListQuery(['id', 'asked_at'], {
      state: z.optional(z.enum(REFUND_STATES)),
      bank_transfer_id: z.optional(idFilter),
      asked_by: z.optional(usernameFilter),
    }),
    answer: z.array(listedRefundSchema),
  }),
}
