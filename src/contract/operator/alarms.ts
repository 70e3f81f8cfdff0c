import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment } from '../envelope.ts'

export const ALARM_NAMES = [
  'unmatched-transfers',
  'unread-payment-events',
  'waiting-claims',
  'waiting-credits',
  'waiting-refunds',
  'parked-deliveries',
  'late-deliveries',
  'red-closes',
  'waiting-proposals',
  'due-deletions',
  'failed-mails',
  'audit-chain-broken',
  'ledger-broken',
  'one-person',
] as const

export type AlarmName = (typeof ALARM_NAMES)[number]

/** More are not counted. */
export const ALARM_COUNT_MAX = 1_000

const alarmSchema = z.object({
  name: z.enum(ALARM_NAMES),
  /** At most 1,000. */
  count: z.int(),
  /** Since when the oldest waits; null where there is no such moment. */
  oldest: z.nullable(moment),
  /** The file in docs/runbooks that says what to do. */
  runbook: z.string(),
})

export type Alarm = z.output<typeof alarmSchema>

export const operatorAlarms = {
  list: endpoint('GET', '/operator/alarms', 'operator', {
    summary:
      'What is wrong or waits for an operator now, of what the caller may read; empty when nothing is.',
    answer: z.array(alarmSchema),
  }),
}

/**
 * Server-sent events: how much waits of each kind that the caller may read, now and after each change. Kinds are named as
 * their lists are.
 */
export const OPERATOR_EVENTS_PATH = '/operator/events'

export const WAITING_KINDS = ['bank-transfers', 'deliveries', 'proposals'] as const

export type WaitingKind = (typeof WAITING_KINDS)[number]

/** `newest` names the one that came last, so that one that comes while another goes is noticed. */
export type Waiting = Partial<Record<WaitingKind, { count: number; newest: string | null }>>
