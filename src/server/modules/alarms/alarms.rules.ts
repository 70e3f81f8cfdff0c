import { ALARM_NAMES, type AlarmName } from '#contract/operator/alarms.ts'
import { PROPOSAL_PERMISSIONS } from '#contract/operator/proposals.ts'
import type { Permission } from '#contract/operator/roles.ts'

type Definition = {
  /** Who is shown it: those who may read what it is about. Of several, any one. */
  permission: Permission | readonly Permission[]
  runbook: string
  /** What its amounts are in; left out, it has none. */
  unit?: 'VND' | 'TCoin'
}

const { 'bank-transfer': decidesCredits, ...held } = PROPOSAL_PERMISSIONS

export const ALARMS: Record<AlarmName, Definition> = {
  'audit-chain-broken': { permission: 'audit.read', runbook: 'audit.md' },
  'ledger-broken': { permission: 'ledger.read', runbook: 'ledger.md' },
  'red-closes': { permission: 'bank-transfers.read', runbook: 'daily-close.md' },
  'unread-payment-events': { permission: 'bank-transfers.read', runbook: 'money-in.md', unit: 'VND' },
  'open-payment-events': { permission: 'bank-transfers.read', runbook: 'money-in.md', unit: 'VND' },
  'unmatched-transfers': { permission: 'bank-transfers.read', runbook: 'money-in.md', unit: 'VND' },
  'parked-deliveries': { permission: 'deliveries.read', runbook: 'deliveries.md', unit: 'TCoin' },
  'late-deliveries': { permission: 'deliveries.read', runbook: 'deliveries.md', unit: 'TCoin' },
  'failed-refunds': { permission: 'bank-transfers.read', runbook: 'money-in.md', unit: 'VND' },
  'waiting-refunds': { permission: 'bank-transfers.match', runbook: 'money-in.md', unit: 'VND' },
  'waiting-claims': { permission: 'bank-transfers.read', runbook: 'claims.md', unit: 'VND' },
  'waiting-credits': { permission: decidesCredits, runbook: 'two-people.md', unit: 'TCoin' },
  'waiting-proposals': { permission: Object.values(held), runbook: 'two-people.md' },
  'uncompared-closes': { permission: 'bank-transfers.read', runbook: 'daily-close.md', unit: 'VND' },
  'due-deletions': { permission: 'users.read', runbook: 'personal-data.md' },
  'failed-mails': { permission: 'audit.read', runbook: 'mail.md' },
  'one-person': { permission: 'settings.money', runbook: 'two-people.md' },
}

/** Those that somebody with these permissions may read, in the order of harm. */
export const readableAlarms = (permissions: readonly string[]): AlarmName[] =>
  ALARM_NAMES.filter((name) => [ALARMS[name].permission].flat().some((one) => permissions.includes(one)))
