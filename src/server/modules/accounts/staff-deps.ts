import type { OperatorProposal } from '#contract/operator/proposals.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

type StaffChange = {
  kind: 'roles' | 'invite'
  subject: string
  payload: { before: string; after: string }
  reason: string
}

export type StaffDeps = PlatformDeps & {
  publicUrl: string
  config: { adminHost: string | null }
  /** Stores a change for a second person; null when the caller may make it alone. */
  proposeStaff(
    tx: Tx,
    change: StaffChange,
    by: { operatorId: string; requestId: string },
  ): Promise<OperatorProposal | null>
}
