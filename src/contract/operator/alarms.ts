import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment } from '../fields.ts'

/** A place at which the trail does not fit its chain. `id` is the number of a row, of a fault `seal` that of a daily seal. */
export const trailFaultSchema = z.object({
  id: z.string(),
  fault: z.enum(['link', 'hash', 'head', 'seal', 'personal']),
})

/**
 * What may wait for an operator, or be wrong, in the order of harm. The order is that of every list of them: what comes
 * first makes what follows doubtful, or costs more with each hour that it waits.
 */
export const ALARM_NAMES = [
  // Records or coins are wrong: no figure can be trusted until it is known why.
  'audit-chain-broken',
  'ledger-broken',
  'red-closes',
  // Money has arrived, and its player has nothing for it.
  'unread-payment-events',
  'open-payment-events',
  'unmatched-transfers',
  // TCoin are paid, and the player does not have the goods.
  'parked-deliveries',
  'late-deliveries',
  'collector-silent',
  // Players were promised goods that they cannot be given.
  'untakable-goods',
  // Nobody can register, or who was banned still plays.
  'game-accounts-unknown',
  'unsent-account-changes',
  // Something was due, and was not done.
  'failed-work',
  // A page of the site broke in players’ browsers.
  'client-errors',
  // What is lost could not be brought back.
  'missing-backups',
  // Money was to go back to a player, and did not.
  'failed-refunds',
  'waiting-refunds',
  // A player waits for an answer.
  'waiting-claims',
  'waiting-cases',
  // An act is decided about by a second person.
  'waiting-credits',
  'waiting-proposals',
  // Nothing is known to be wrong, since nobody has looked.
  'uncompared-closes',
  // There are days left.
  'due-deletions',
  'failed-mails',
  'one-person',
] as const

export type AlarmName = (typeof ALARM_NAMES)[number]

/** More are not counted. */
export const ALARM_COUNT_MAX = 1_000

const alarmSchema = z.object({
  name: z.enum(ALARM_NAMES),
  /** How many wait; at most 1,000. */
  count: z.int(),
  /** How many of them wait for longer than they should: they are what rings. */
  late: z.int(),
  /** Since when the oldest waits; null where there is no such moment. */
  oldest: z.nullable(moment),
  /** What those counted add up to, in whole VND or TCoin; null where they have no amount. */
  amount: z.nullable(z.object({ value: z.int(), unit: z.enum(['VND', 'TCoin']) })),
  /** The file that describes what to do: in docs/runbooks/vi for operators, in docs/runbooks for engineers. */
  runbook: z.string(),
  /** Of a broken audit trail the first place that does not fit; null of all others. */
  place: z.nullable(trailFaultSchema),
})

export type Alarm = z.output<typeof alarmSchema>

export const operatorAlarms = {
  list: endpoint('GET', '/operator/alarms', 'operator', {
    summary:
      'What is wrong or waits for an operator now, of what the caller may read, in the order of harm; empty when nothing is.',
    answer: z.array(alarmSchema),
  }),
}

export const OPERATOR_EVENTS_PATH = '/operator/events'

/** How far what waits is counted beside the menu. */
export const WAITING_COUNT_MAX = 100

const waitingSchema = z.partialRecord(
  z.enum(ALARM_NAMES),
  /** `newest` names the one that came last, so that one that comes while another goes is noticed. */
  z.object({ count: z.int(), newest: z.nullable(z.string()) }),
)

export type Waiting = z.output<typeof waitingSchema>

export const watchWaiting = endpoint('GET', OPERATOR_EVENTS_PATH, 'operator', {
  summary: 'How much waits of each that the caller may read, counted up to 100, now and after each change.',
  answer: waitingSchema,
  isStream: true,
})
