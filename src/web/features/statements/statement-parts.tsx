import { Link } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format-number.ts'
import type { Transaction } from '#contract/transactions.ts'
import { Coins } from '#ui/coins.tsx'
import { receiptOf } from '#web/features/statements/receipt-of.ts'

/** What the wallet gained or lost; the sign shows which, without relying on colours. */
export function Movement({ amount }: { amount: number }) {
  return <Coins>{amount > 0 ? `+${formatNumber(amount)}` : `−${formatNumber(-amount)}`}</Coins>
}

/** The reference; where it names an order or a purchase, it leads to the receipt. */
export function Reference({ type, reference }: Pick<Transaction, 'type' | 'reference'>) {
  const to = receiptOf({ type, reference })
  if (to === null) return reference
  return (
    <Link to={to} className="inline-block py-1 text-vermilion underline">
      {reference}
    </Link>
  )
}
