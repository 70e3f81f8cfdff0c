import type { OperatorDailyClose } from '#contract/operator/daily-closes.ts'
import { Badge } from '#ui/badge.tsx'
import { closesCopy } from '#admin/features/daily-closes/closes.copy.ts'

export const CloseStatus = ({ status }: Pick<OperatorDailyClose, 'status'>) => (
  <Badge tone={status === 'green' ? 'success' : 'danger'}>{closesCopy.statuses[status]}</Badge>
)
