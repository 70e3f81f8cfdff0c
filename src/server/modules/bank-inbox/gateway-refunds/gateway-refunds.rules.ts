import { REFUND_MAX_VND, REFUND_MIN_VND } from '#contract/operator/gateway-refunds.ts'

/** MoMo's numbers of payments are sent to it as JSON numbers. */
export const isPaymentNumber = (reference: string | null): reference is string =>
  reference !== null && /^[1-9]\d{0,14}$/.test(reference)

/** What is to go back: what was named, or else everything that is left. Null when that cannot be. */
export function refundAmount(left: number, requested: number | null): number | null {
  const amount = requested ?? Math.min(left, REFUND_MAX_VND)
  return amount >= REFUND_MIN_VND && amount <= REFUND_MAX_VND && amount <= left ? amount : null
}

/** Our own question may still be on its way for up to two minutes: before this, "no such refund" proves nothing. */
const ARRIVED_SECONDS = 180
/** The second comes two minutes after the first at the earliest, however the clock jumped between question and query. */
const ARRIVED_QUERIES = 2

export const mustHaveArrived = ({ ageSeconds, queries }: { ageSeconds: number; queries: number }): boolean =>
  ageSeconds >= ARRIVED_SECONDS && queries >= ARRIVED_QUERIES
