import { STATUS_NAMES, type TransactionStatus } from '#contract/transactions.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

const tones: Record<TransactionStatus, BadgeTone> = {
  completed: 'success',
  pending: 'waiting',
  delivered: 'success',
  refunded: 'note',
}

/** The state of a movement or a purchase. */
export function StatusBadge({ status }: { status: TransactionStatus }) {
  return <Badge tone={tones[status]}>{STATUS_NAMES[status]}</Badge>
}
