import * as z from 'zod/mini'
import { idText, moment } from '../envelope.ts'
import { person, reason } from './act-fields.ts'

/** Money that was to go back by MoMo's gateway. */
export const gatewayRefundSchema = z.object({
  id: idText,
  /** What MoMo calls it. */
  refund_order: z.string(),
  /** VND. */
  amount: z.number(),
  /** `asked`: MoMo has not said yet, and is asked until it does. */
  state: z.enum(['asked', 'done', 'failed']),
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
