import { formatNumber } from '#contract/format-number.ts'
import type { Transaction } from '#contract/transactions.ts'
import { Badge } from '#ui/badge.tsx'
import { Coins } from '#ui/coins.tsx'
import { statusLabels } from '#web/features/statements/statements.copy.ts'

/** What the wallet gained or lost; the sign says which, so that it does not take colours to tell. */
export function Movement({ amount }: { amount: number }) {
  return <Coins>{amount > 0 ? `+${formatNumber(amount)}` : `−${formatNumber(-amount)}`}</Coins>
}

export function StatusBadge({ status }: { status: Transaction['status'] }) {
  const { label, tone } = statusLabels[status]
  return <Badge tone={tone}>{label}</Badge>
}
