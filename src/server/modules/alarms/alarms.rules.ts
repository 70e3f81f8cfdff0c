import { ALARM_NAMES, type AlarmName } from '#contract/operator/alarms.ts'
import { PROPOSAL_PERMISSIONS } from '#contract/operator/proposals.ts'
import type { Permission } from '#contract/operator/roles.ts'
import { msSince } from '#server/platform/values/moments.rules.ts'

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
  'collector-silent': { permission: 'deliveries.read', runbook: 'deliveries.md', unit: 'TCoin' },
  'untakable-goods': { permission: 'settings.read', runbook: 'deliveries.md' },
  'game-accounts-unknown': { permission: 'users.read', runbook: 'game-accounts.md' },
  'unsent-account-changes': { permission: 'users.read', runbook: 'game-accounts.md' },
  'failed-work': { permission: 'audit.read', runbook: 'failed-work.md' },
  'client-errors': { permission: 'client-errors.handle', runbook: 'client-errors.md' },
  'missing-backups': { permission: 'audit.read', runbook: 'backup.md' },
  'failed-refunds': { permission: 'bank-transfers.read', runbook: 'money-in.md', unit: 'VND' },
  'waiting-refunds': { permission: 'bank-transfers.match', runbook: 'money-in.md', unit: 'VND' },
  'waiting-claims': { permission: 'bank-transfers.read', runbook: 'claims.md', unit: 'VND' },
  'waiting-cases': { permission: 'cases.read', runbook: 'claims.md' },
  'waiting-credits': { permission: decidesCredits, runbook: 'two-people.md', unit: 'TCoin' },
  'waiting-proposals': { permission: Object.values(held), runbook: 'two-people.md' },
  'uncompared-closes': { permission: 'bank-transfers.read', runbook: 'daily-close.md', unit: 'VND' },
  'due-deletions': { permission: 'users.read', runbook: 'personal-data.md' },
  'failed-mails': { permission: 'audit.read', runbook: 'mail.md' },
  'one-person': { permission: 'settings.money', runbook: 'two-people.md' },
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/**
 * After how many seconds of waiting something is late: only then it rings, and is shown in red. What is not named here is
 * listed only when it is late already.
 */
export const LATE_SECONDS: Partial<Record<AlarmName, number>> = {
  'open-payment-events': HOUR,
  'unmatched-transfers': HOUR,
  'parked-deliveries': 15 * MINUTE,
  'game-accounts-unknown': 2 * MINUTE,
  'waiting-claims': HOUR,
  'waiting-cases': 24 * HOUR,
  'waiting-credits': HOUR,
  'waiting-proposals': HOUR,
  'failed-mails': 15 * MINUTE,
}

/** Those that somebody with these permissions may read, in the order of harm. */
export const readableAlarms = (permissions: readonly string[]): AlarmName[] =>
  ALARM_NAMES.filter((name) => [ALARMS[name].permission].flat().some((one) => permissions.includes(one)))

/** An error that so many documents met is no single browser's matter. */
export const CLIENT_ERROR_TIMES_MIN = 10

/** What was last sent about an alarm that goes on. */
export type LastMessage = { beganAt: Date; count: number; sentAt: Date }

type AlarmEvent = 'begins' | 'grows' | 'repeats' | 'ends'

const MINUTE_MS = 60_000
/** An alarm that goes on is repeated, so that one message that is overlooked is not the last. */
const REPEAT_MS = 60 * MINUTE_MS
/** A growing alarm sends no message each minute. */
const GROW_MS = 10 * MINUTE_MS

/** Which message an alarm with this count sends now; null for none. */
export function messageToSend(last: LastMessage | null, count: number, now: Date): AlarmEvent | null {
  if (last === null) return count > 0 ? 'begins' : null
  if (count === 0) return 'ends'
  const silentMs = msSince(last.sentAt, now)
  if (silentMs >= REPEAT_MS) return 'repeats'
  return count > last.count && silentMs >= GROW_MS ? 'grows' : null
}

const FIRST_DELAY_SECONDS = 5
export const DELAY_SECONDS_MAX = 300
/** About three hours. A message that is still true is made again each hour anyway. */
const ATTEMPTS_MAX = 40

/** Seconds until a message is sent again after so many attempts; null when it is given up. */
export function secondsUntilNext(attempt: number): number | null {
  if (attempt >= ATTEMPTS_MAX) return null
  return Math.min(DELAY_SECONDS_MAX, FIRST_DELAY_SECONDS * 2 ** (attempt - 1))
}
