import { Link } from 'react-router'
import { formatNumber } from '#contract/format-number.ts'
import type { Transaction } from '#contract/transactions.ts'
import { Badge } from '#ui/badge.tsx'
import { Coins } from '#ui/coins.tsx'
import { receiptOf } from '#web/features/statements/receipt-of.ts'
import { statusLabels } from '#web/features/statements/statements.copy.ts'

/** What the wallet gained or lost; the sign says which, so that it does not take colours to tell. */
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

export function StatusBadge({ status }: { status: Transaction['status'] }) {
  const { label, tone } = statusLabels[status]
  return <Badge tone={tone}>{label}</Badge>
}
