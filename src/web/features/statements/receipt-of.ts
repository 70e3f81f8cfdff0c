import { PURCHASES } from '#contract/purchases.ts'
import type { Transaction } from '#contract/transactions.ts'
import { paths } from '#contract/pages.ts'

/** Credits without an order, and movements that are no purchase, have a number as reference. */
const isNumber = (reference: string) => /^\d+$/.test(reference)

/** Where the receipt of a line of the statement is; null where there is none. */
export function receiptOf({ type, reference }: Pick<Transaction, 'type' | 'reference'>): string | null {
  if (isNumber(reference)) return null
  if (type === 'recharge') return paths.order(reference)
  return type === 'refund' || type in PURCHASES ? paths.deliveries(reference) : null
}
