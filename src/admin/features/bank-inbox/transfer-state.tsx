import type { BankTransfer } from '#contract/operator/bank-transfers.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { inboxCopy as copy } from '#admin/features/bank-inbox/inbox.copy.ts'

const tones = {
  review: 'danger',
  credited: 'success',
  refunded: 'note',
  ignored: 'note',
} as const satisfies Record<BankTransfer['state'], BadgeTone>

export function TransferState({
  transfer,
}: {
  transfer: Pick<BankTransfer, 'state' | 'direction' | 'waiting' | 'has_failed_refund'>
}) {
  return (
    <span className="inline-flex flex-wrap gap-1 max-md:justify-end">
      <Badge tone={tones[transfer.state]}>{copy.states[transfer.state]}</Badge>
      {transfer.direction === 'out' && <Badge tone="note">{copy.directions.out}</Badge>}
      {transfer.has_failed_refund && <Badge tone="danger">{copy.refunds.failed}</Badge>}
      {transfer.waiting && <Badge tone="waiting">{copy.waiting}</Badge>}
    </span>
  )
}
