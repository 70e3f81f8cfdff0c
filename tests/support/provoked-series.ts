import { alarmExpr, type AlertRule } from './alert-rules.ts'
import { ALARM_NAMES } from '#contract/operator/alarms.ts'
import { invariant } from '#server/platform/values/errors.ts'

/** Series as promtool's tests write them, one value a minute. Their clock starts at 0. */
type Series = Record<string, string>

type Case = {
  about: string
  series: Series
  /** Minutes after which it fires; null when it never does. */
  firesAt: number | null
}

/** Longer than any rule waits. */
const MINUTES = 120

const WEB = 'instance="web",job="cong-ninja"'
const WORKER = 'instance="worker",job="cong-ninja"'
const REFUSED = `portal_notifications_total{outcome="refused",provider="sepay",${WEB}}`
const GIVEN_UP = `portal_mails_total{outcome="given-up",${WORKER}}`
const FIGURES = `portal_figures_read_timestamp_seconds{${WORKER}}`
const up = (of: string) => `up{${of}}`
const startedAt = (of: string) => `process_start_time_seconds{${of}}`
const RUN = `portal_reconciliation_finished_timestamp_seconds{${WORKER}}`
const ENDS = `portal_certificate_ends_timestamp_seconds{of="site",${WORKER}}`
const CLOSE = `portal_daily_close_due_timestamp_seconds{${WORKER}}`

const always = (value: number, minutes = MINUTES) => `${value}x${minutes}`
/** A gauge that stands at a value beyond its limit. */
const stands = (series: string, beyond: number, within: number, firesAt: number): Case[] => [
  { about: 'beyond the limit', series: { [series]: always(beyond) }, firesAt },
  { about: 'within the limit', series: { [series]: always(within) }, firesAt: null },
]
const DAY_S = 86_400

/** When each rule fires, and when it does not, of those that are not about an alarm of the console. */
const CASES: Record<string, Case[]> = {
  PortalDown: [
    ...stands(up(WEB), 0, 1, 2),
    { about: 'one of two', series: { [up(WEB)]: always(1), [up(WORKER)]: always(0) }, firesAt: 2 },
  ],
  NobodyWatches: [
    { about: 'a worker that hangs', series: { [FIGURES]: always(0), [up(WORKER)]: always(1) }, firesAt: 6 },
    { about: 'no worker at all', series: { [up(WEB)]: always(1) }, firesAt: 3 },
    {
      about: 'a worker that begins two minutes after the others',
      series: { [up(WEB)]: always(1), [FIGURES]: `_x1 120+60x${MINUTES}` },
      firesAt: null,
    },
    { about: 'a portal that is stopped', series: { [up(WEB)]: always(0) }, firesAt: null },
  ],
  RequestsFail: [
    { about: 'many', series: { [`portal_failed_requests_total{${WEB}}`]: `0+13x${MINUTES}` }, firesAt: 10 },
    {
      about: 'a few',
      series: { [`portal_failed_requests_total{${WEB}}`]: `0+11x${MINUTES}` },
      firesAt: null,
    },
  ],
  EventLoopLate: stands(`nodejs_eventloop_lag_p99_seconds{${WEB}}`, 0.6, 0.5, 5),
  ConnectionsWaited: stands(`portal_database_connections{state="waiting",${WEB}}`, 1, 0, 2),
  DatabaseDiskFull: stands(`portal_database_disk_full{${WEB}}`, 1, 0, 0),
  DatabaseRefusesChanges: stands(`portal_database_refuses_changes{reason="standby",${WEB}}`, 1, 0, 0),
  DatabaseAway: stands(`portal_database_away{${WEB}}`, 1, 0, 1),
  DatabaseFault: stands(`portal_database_faults{fault="tables",${WEB}}`, 1, 0, 0),
  CertificateEnds: [
    { about: 'beyond the limit', series: { [ENDS]: always(20 * DAY_S) }, firesAt: 0 },
    { about: 'within the limit', series: { [ENDS]: always(22 * DAY_S) }, firesAt: null },
  ],
  CertificateRefused: [
    ...stands(`portal_certificate_refused{of="site",${WORKER}}`, 1, 0, 0),
    { about: 'one that has ended', series: { [ENDS]: always(-60) }, firesAt: 0 },
  ],
  ReplicaBehind: stands(`portal_replica_lag_seconds{${WEB}}`, 61, 60, 5),
  LoginsFail: [
    { about: 'many', series: { [`portal_logins_total{outcome="failed",${WEB}}`]: `0+310x60` }, firesAt: 10 },
    {
      about: 'a few',
      series: { [`portal_logins_total{outcome="failed",${WEB}}`]: `0+290x60` },
      firesAt: null,
    },
  ],
  NotificationsRefused: [
    { about: 'the first burst', series: { [REFUSED]: '0 0 0 13x30' }, firesAt: 3 },
    {
      about: 'a burst before the first scrape of a process that was just started',
      series: { [REFUSED]: '_x30 11x30', [startedAt(WEB)]: '_x30 1790x30' },
      firesAt: 30,
    },
    {
      about: 'a burst after a restart',
      series: { [REFUSED]: '500x30 12x30', [startedAt(WEB)]: '-86400x30 1840x30' },
      firesAt: 31,
    },
    {
      about: 'what a process counted long ago, before anybody scraped it',
      series: { [REFUSED]: '_x60 500x30', [startedAt(WEB)]: '_x60 0x30' },
      firesAt: null,
    },
    { about: 'ten', series: { [REFUSED]: '0 0 0 9x30' }, firesAt: null },
  ],
  GameDoesNotAnswer: stands(`portal_delivery_breaker_open{${WORKER}}`, 1, 0, 5),
  MailsGivenUp: [
    { about: 'the first mail', series: { [GIVEN_UP]: '0 0 0 1x30' }, firesAt: 3 },
    {
      about: 'a mail that is given up at once after a start',
      series: { [GIVEN_UP]: '_x90 1x30', [startedAt(WORKER)]: '_x90 5390x30' },
      firesAt: 90,
    },
    {
      about: 'one of long ago',
      series: { [GIVEN_UP]: '_x90 1x30', [startedAt(WORKER)]: '_x90 0x30' },
      firesAt: null,
    },
  ],
  ReconciliationMissing: [
    { about: 'the last run is 31 hours ago', series: { [RUN]: always(-31 * 3_600) }, firesAt: 60 },
    {
      about: 'a run at the start after a week',
      series: { [RUN]: `-${7 * DAY_S} 60x${MINUTES}` },
      firesAt: null,
    },
    { about: 'a database that was just made', series: { [RUN]: always(0) }, firesAt: null },
  ],
  DailyCloseMissing: [
    { about: 'due for seven hours', series: { [CLOSE]: always(-7 * 3_600) }, firesAt: 60 },
    {
      about: 'made at the start after a week',
      series: { [CLOSE]: `-${7 * DAY_S} ${DAY_S}x${MINUTES}` },
      firesAt: null,
    },
    { about: 'a database that was just made', series: { [CLOSE]: always(0) }, firesAt: null },
  ],
}

function casesOf({ name, expr, waits }: AlertRule): Case[] {
  const alarm = ALARM_NAMES.find((one) => expr === alarmExpr(one))
  const cases = CASES[name]
  invariant((alarm === undefined) !== (cases === undefined), `${name} needs cases in provoked-series.ts`)
  if (cases !== undefined) return cases
  const minutes = Number.parseInt(waits) * (waits.endsWith('h') ? 60 : 1)
  return stands(`portal_alarm{name="${alarm}",${WORKER}}`, 1, 0, minutes)
}

/** Tests for `promtool test rules`, of every rule. Cases of one name are tried together: each has its own series and rule. */
export function provokedSeries(rules: readonly AlertRule[]) {
  const cases = rules.flatMap((rule) => casesOf(rule).map((one) => ({ ...one, rule: rule.name })))
  return Object.entries(Object.groupBy(cases, ({ about }) => about)).map(([name, together = []]) => ({
    name,
    interval: '1m',
    input_series: together.flatMap(({ series }) =>
      Object.entries(series).map(([text, values]) => ({ series: text, values })),
    ),
    promql_expr_test: together.flatMap(({ rule, firesAt }) => {
      const fired = (minute: number, isFired: boolean) => ({
        expr: `count(last_over_time(ALERTS{alertname="${rule}",alertstate="firing"}[1d])) or vector(0)`,
        eval_time: `${minute}m`,
        exp_samples: [{ labels: '{}', value: isFired ? 1 : 0 }],
      })
      if (firesAt === null) return [fired(MINUTES, false)]
      return [...(firesAt === 0 ? [] : [fired(firesAt - 1, false)]), fired(firesAt, true)]
    }),
  }))
}
