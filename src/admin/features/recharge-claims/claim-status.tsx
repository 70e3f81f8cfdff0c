import type { ClaimStatus as Status } from '#contract/recharge-claims.ts'
import { Badge } from '#ui/badge.tsx'
import { claimsCopy } from '#admin/features/recharge-claims/claims.copy.ts'

const tones = { open: 'danger', settled: 'success', rejected: 'note' } as const

export const ClaimStatus = ({ status }: { status: Status }) => (
  <Badge tone={tones[status]}>{claimsCopy.statuses[status]}</Badge>
)
