import type { RechargeOrder } from '#contract/recharge.ts'

/** An answer that was on its way while a later one came: TCoin that were shown are not taken back. */
export function laterOrder(known: RechargeOrder | undefined, read: RechargeOrder): RechargeOrder {
  return known?.code === read.code && read.credited < known.credited ? known : read
}
