import { CLIENT_ERROR_KINDS, CLIENT_SITES } from '#contract/client-errors.ts'
import { ALARM_NAMES } from '#contract/operator/alarms.ts'
import { CLOSE_STATUSES } from '#contract/operator/daily-closes.ts'
import { LEDGER_KINDS } from '#contract/operator/ledger-transfers.ts'
import { defineMetrics, type Definition, OPEN } from '#server/platform/metrics/metrics.ts'

/** Whose certificates are looked at: those that players see, and those of the servers that the portal calls. */
export const CERTIFICATE_PARTS = [
  'site',
  'console',
  'game',
  'mail',
  'database',
  'alarm-webhook',
  'traces',
] as const

/** The metrics of the game's business. docs/runbooks/watch.md lists which processes have which. */
export const DOMAIN_METRICS = {
  portal_ledger_transfers_total: {
    type: 'counter',
    help: 'Ledger transfers that were committed, by kind',
    labels: { kind: LEDGER_KINDS },
  },
  portal_notifications_total: {
    type: 'counter',
    help: 'Payment notifications: received (stored for the first time), then credited, review, duplicate, ignored or stale; refused',
    labels: {
      provider: OPEN,
      outcome: ['received', 'credited', 'review', 'duplicate', 'ignored', 'stale', 'refused'],
    },
  },
  portal_deliveries_total: {
    type: 'counter',
    help: 'Ends and attempts of deliveries: delivered, refunded, parked, retried',
    labels: { outcome: ['delivered', 'refunded', 'parked', 'retried'] },
  },
  portal_order_purchases_total: {
    type: 'counter',
    help: 'Paid recharge orders that were to buy something: bought, not-bought (the TCoin stay in the wallet)',
    labels: { outcome: ['bought', 'not-bought'] },
  },
  portal_delivery_breaker_open: {
    type: 'gauge',
    help: '1 while the game does not answer and only one delivery every ten seconds is tried',
    labels: {},
  },
  portal_mails_total: {
    type: 'counter',
    help: 'Mails of the outbox: sent, failed (tried again later), given-up',
    labels: { outcome: ['sent', 'failed', 'given-up'] },
  },
  portal_pushes_total: {
    type: 'counter',
    help: 'Messages to push services: sent, failed (tried again later), given-up, forgotten (the browser is gone)',
    labels: { outcome: ['sent', 'failed', 'given-up', 'forgotten'] },
  },
  portal_codes_total: {
    type: 'counter',
    help: 'One-time codes by SMS: sent, verified, refused',
    labels: { outcome: ['sent', 'verified', 'refused'] },
  },
  portal_logins_total: {
    type: 'counter',
    help: 'Logins: succeeded, failed (wrong name or password), second-factor (not let past it)',
    labels: { outcome: ['succeeded', 'failed', 'second-factor'] },
  },
  portal_game_logins_total: {
    type: 'counter',
    help: 'Logins that the game asked about: ok, wrong, banned, not-activated, slow-down',
    labels: { status: ['ok', 'wrong', 'banned', 'not-activated', 'slow-down'] },
  },
  portal_client_errors_total: {
    type: 'counter',
    help: 'Errors that browsers told of, by site (player, console) and by where they were met: script, promise, part, code',
    labels: { site: CLIENT_SITES, kind: CLIENT_ERROR_KINDS },
  },
  portal_alarm: {
    type: 'gauge',
    help: 'How much each alarm of the console counts, at most 1,000; 0 while nothing is wrong',
    labels: { name: ALARM_NAMES },
  },
  portal_alarm_age_seconds: {
    type: 'gauge',
    help: 'How long the oldest of what an alarm counts has waited',
    labels: { name: ALARM_NAMES },
  },
  portal_oldest_seconds: {
    type: 'gauge',
    help: 'How long the oldest waits: unmatched-transfer, undecided-notification, pending-delivery',
    labels: { what: ['unmatched-transfer', 'undecided-notification', 'pending-delivery'] },
  },
  portal_deliveries_open: {
    type: 'gauge',
    help: 'Deliveries that are not over, by state; at most 10,000 are counted',
    labels: { state: ['pending', 'sending', 'unknown', 'parked'] },
  },
  portal_recharge_orders_open: {
    type: 'gauge',
    help: 'Recharge orders that wait for money or for an operator, by state; at most 10,000 of each are counted',
    labels: { state: ['pending', 'review'] },
  },
  portal_mail_outbox: {
    type: 'gauge',
    help: 'Mails in the outbox by state: waiting, failed; at most 10,000 are counted',
    labels: { state: ['waiting', 'failed'] },
  },
  portal_house_tcoin: {
    type: 'gauge',
    help: 'Balance of each account of the house',
    labels: { account: OPEN },
  },
  portal_circulation_tcoin: {
    type: 'gauge',
    help: 'TCoin that players hold, less what they owe: what the accounts of the house lack',
    labels: {},
  },
  portal_reconciliation_found: {
    type: 'gauge',
    help: 'Rows that broke a rule in the last run of R1 to R16 that came to its end',
    labels: {},
  },
  portal_reconciliation_finished_timestamp_seconds: {
    type: 'gauge',
    help: 'When the last run of R1 to R16 came to its end; before the first, when the database was made',
    labels: {},
  },
  portal_daily_close_accounts: {
    type: 'gauge',
    help: 'Receiving accounts of the last closed day by the status of their close: green, red, not-compared',
    labels: { status: CLOSE_STATUSES },
  },
  portal_daily_close_day_timestamp_seconds: {
    type: 'gauge',
    help: 'The last closed day',
    labels: {},
  },
  portal_daily_close_due_timestamp_seconds: {
    type: 'gauge',
    help: 'When the next nightly close is due; in the past until it was made',
    labels: {},
  },
  portal_certificate_ends_timestamp_seconds: {
    type: 'gauge',
    help: 'When the certificates end that site, console, game, mail, database, alarm-webhook and traces were seen to show',
    labels: { of: CERTIFICATE_PARTS },
  },
  portal_certificate_refused: {
    type: 'gauge',
    help: '1 for a certificate that a client refuses for another reason than its end: another name, or an unknown authority',
    labels: { of: CERTIFICATE_PARTS },
  },
  portal_figures_read_timestamp_seconds: {
    type: 'gauge',
    help: 'When this process last read what it knows from the database: oldest, open, TCoin, reconciliation, close',
    labels: {},
  },
} as const satisfies Record<string, Definition>

export const { count, startCounting, setGauge, setGauges } = defineMetrics(DOMAIN_METRICS)
