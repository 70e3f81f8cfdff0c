import type { AlarmName, WaitingKind } from '#contract/operator/alarms.ts'
import { PROPOSAL_PERMISSIONS } from '#contract/operator/proposals.ts'
import type { Permission } from '#contract/operator/roles.ts'

type Definition = { permission: Permission; runbook: string }

/** Who is shown an alarm: those who may read what it is about. */
export const ALARMS: Record<AlarmName, Definition> = {
  'unmatched-transfers': { permission: 'bank-transfers.read', runbook: 'money-in.md' },
  'unread-payment-events': { permission: 'bank-transfers.read', runbook: 'money-in.md' },
  'waiting-claims': { permission: 'bank-transfers.read', runbook: 'claims.md' },
  'waiting-credits': { permission: 'bank-transfers.match', runbook: 'two-people.md' },
  'waiting-refunds': { permission: 'bank-transfers.match', runbook: 'money-in.md' },
  'parked-deliveries': { permission: 'deliveries.read', runbook: 'deliveries.md' },
  'late-deliveries': { permission: 'deliveries.read', runbook: 'deliveries.md' },
  'red-closes': { permission: 'bank-transfers.read', runbook: 'daily-close.md' },
  'waiting-proposals': { permission: 'settings.money', runbook: 'two-people.md' },
  'due-deletions': { permission: 'users.read', runbook: 'personal-data.md' },
  'failed-mails': { permission: 'audit.read', runbook: 'mail.md' },
  'audit-chain-broken': { permission: 'audit.read', runbook: 'audit.md' },
  'ledger-broken': { permission: 'ledger.read', runbook: 'ledger.md' },
  'one-person': { permission: 'settings.money', runbook: 'two-people.md' },
}

/** Any one of these. */
export const WAITING_PERMISSIONS: Record<WaitingKind, readonly Permission[]> = {
  'bank-transfers': ['bank-transfers.read'],
  deliveries: ['deliveries.read'],
  proposals: Object.values(PROPOSAL_PERMISSIONS),
}
