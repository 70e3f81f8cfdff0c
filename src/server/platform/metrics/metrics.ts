import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The values of a label whose values the program does not know beforehand: few all the same, and nothing a caller chose. */
export const OPEN = 'open'

export type Definition = {
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  /** The values that each takes: never an id, an address or anything a caller chose. */
  labels: Readonly<Record<string, readonly string[] | typeof OPEN>>
}

type Definitions = Record<string, Definition>

type NameOf<Defined extends Definitions, Type extends Definition['type']> = {
  [Name in keyof Defined & string]: Defined[Name]['type'] extends Type ? Name : never
}[keyof Defined & string]

type LabelsOf<Defined extends Definitions, Name extends keyof Defined> = {
  [
    Label in keyof Defined[Name]['labels']
  ]: Defined[Name]['labels'][Label] extends readonly (infer Value extends string)[] ? Value : string
}

/** Every combination of the values of these labels. */
const combinationsOf = (labels: Readonly<Record<string, readonly string[]>>): Record<string, string>[] =>
  Object.entries(labels).reduce<Record<string, string>[]>(
    (combined, [label, values]) =>
      combined.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  )

/** Buckets from a cached page to the longest request. */
const BUCKETS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const registry = new Registry()

/**
 * Registers metrics, and returns the functions that record them by name. Counters stand at 0 before their first event, as
 * far as the values of their labels are known: Prometheus sees no growth in a series that begins with it. A gauge is absent
 * until its value is known, and 0 says something else.
 */
export function defineMetrics<const Defined extends Definitions>(defined: Defined) {
  type Counters = NameOf<Defined, 'counter'>
  type Gauges = NameOf<Defined, 'gauge'>
  type Histograms = NameOf<Defined, 'histogram'>
  type Value<Name extends Gauges> = { labels: LabelsOf<Defined, Name>; value: number }

  const readers = new Map<string, () => void>()
  const made = new Map<string, Counter | Gauge | Histogram>()
  for (const [name, { type, help, labels }] of Object.entries(defined)) {
    const options = { name, help, labelNames: Object.keys(labels), registers: [registry] }
    if (type === 'counter') {
      made.set(name, new Counter(options))
      if (!Object.values(labels).includes(OPEN)) startCounting(name as Counters, {})
    } else if (type === 'gauge') {
      const gauge = new Gauge({ ...options, collect: () => readers.get(name)?.() })
      if (options.labelNames.length === 0) gauge.remove()
      made.set(name, gauge)
    } else made.set(name, new Histogram({ ...options, buckets: BUCKETS_SECONDS }))
  }

  /** Lets a counter stand at 0 where the values of its open labels are these. */
  function startCounting<Name extends Counters>(name: Name, open: Record<string, readonly string[]>): void {
    const labels = { ...defined[name]?.labels, ...open } as Record<string, readonly string[]>
    for (const one of combinationsOf(labels)) (made.get(name) as Counter).inc(one, 0)
  }

  function count<Name extends Counters>(name: Name, labels: LabelsOf<Defined, Name>, number = 1): void {
    ;(made.get(name) as Counter).inc(labels, number)
  }

  /** A counter with its labels: adds one with each call, without looking the labels up. */
  function counting<Name extends Counters>(name: Name, labels: LabelsOf<Defined, Name>): () => void {
    const counter = (made.get(name) as Counter).labels(labels)
    return () => counter.inc()
  }

  function setGauge<Name extends Gauges>(name: Name, labels: LabelsOf<Defined, Name>, value: number): void {
    ;(made.get(name) as Gauge).set(labels, value)
  }

  /** Replaces all values of a gauge: labels that are not named any more are removed. */
  function setGauges<Name extends Gauges>(name: Name, values: readonly Value<Name>[]): void {
    ;(made.get(name) as Gauge).reset()
    for (const { labels, value } of values) setGauge(name, labels, value)
  }

  function changeGauge<Name extends Gauges>(
    name: Name,
    labels: LabelsOf<Defined, Name>,
    change: number,
  ): void {
    ;(made.get(name) as Gauge).inc(labels, change)
  }

  /** A gauge that is read at each scrape, from memory only. */
  function readGauge<Name extends Gauges>(name: Name, read: () => readonly Value<Name>[]): void {
    readers.set(name, () => setGauges(name, read()))
  }

  function observeSeconds<Name extends Histograms>(
    name: Name,
    labels: LabelsOf<Defined, Name>,
    seconds: number,
  ): void {
    ;(made.get(name) as Histogram).observe(labels, seconds)
  }

  return { count, startCounting, counting, setGauge, setGauges, changeGauge, readGauge, observeSeconds }
}

/** The metrics of the platform; those of Node (memory, event loop, garbage collection) come with prom-client. */
export const PLATFORM_METRICS = {
  portal_request_duration_seconds: {
    type: 'histogram',
    help: 'Requests by route pattern, with the time until the answer was sent',
    labels: { method: OPEN, route: OPEN, status: OPEN },
  },
  portal_failed_requests_total: {
    type: 'counter',
    help: 'Requests that were answered 5xx, of all routes together: those of the histogram begin with their first request',
    labels: {},
  },
  portal_page_cache_total: {
    type: 'counter',
    help: 'Pages that were asked for, by whether the cache had them: hit, miss, stale (the last good copy)',
    labels: { outcome: ['hit', 'miss', 'stale'] },
  },
  portal_clients_refused_total: {
    type: 'counter',
    help: 'What was refused because the address of its client had too many open: connection, stream',
    labels: { kind: ['connection', 'stream'] },
  },
  portal_event_streams: {
    type: 'gauge',
    help: 'Server-sent event streams that are open',
    labels: {},
  },
  portal_database_connections: {
    type: 'gauge',
    help: 'Connections of the pool: in-use, idle, and callers waiting for one',
    labels: { state: ['in-use', 'idle', 'waiting'] },
  },
  portal_database_statements_total: {
    type: 'counter',
    help: 'SQL statements by outcome',
    labels: { outcome: ['done', 'failed'] },
  },
  portal_database_disk_full: {
    type: 'gauge',
    help: '1 while PostgreSQL has no room on its disk: it is read from, and every change is refused',
    labels: {},
  },
  portal_database_refuses_changes: {
    type: 'gauge',
    help: '1 while PostgreSQL refuses changes, by reason: standby, read-only (default_transaction_read_only), no-standby (commits wait for one), refused (by another error of its own), missing-rights',
    labels: { reason: ['standby', 'read-only', 'no-standby', 'refused', 'missing-rights'] },
  },
  portal_database_away: {
    type: 'gauge',
    help: '1 while PostgreSQL does not answer this process, or does not let it in',
    labels: {},
  },
  portal_database_faults: {
    type: 'gauge',
    help: '1 while the database has a fault with which money or records can be lost, found once a minute: tables (not as the migrations make them), unguarded (settings of a session), not-durable (fsync off), collation, damaged-pages, wraparound, autovacuum, archive, slot, partitions',
    labels: {
      fault: [
        'tables',
        'unguarded',
        'not-durable',
        'collation',
        'damaged-pages',
        'wraparound',
        'autovacuum',
        'archive',
        'slot',
        'partitions',
      ],
    },
  },
  portal_public_reads_total: {
    type: 'counter',
    help: 'Reads of public data where there is a DATABASE_REPLICA_URL, by who answered: replica, primary',
    labels: { from: ['replica', 'primary'] },
  },
  portal_replica_lag_seconds: {
    type: 'gauge',
    help: 'How old what the replica has may be, measured once a second; above 5 it is not read from',
    labels: {},
  },
  portal_notices_total: {
    type: 'counter',
    help: 'Notices to all processes after a commit: sent, failed, dropped (too many at once); polling makes up for the last two',
    labels: { outcome: ['sent', 'failed', 'dropped'] },
  },
  portal_acts_after_commit_failed_total: {
    type: 'counter',
    help: 'What follows a committed change and failed, such as its line in the log; the change stays made',
    labels: { act: OPEN },
  },
  portal_job_failures_total: {
    type: 'counter',
    help: 'Failures of what runs without a request, by its loop: rows that were due, and rounds that failed as a whole',
    labels: { loop: OPEN },
  },
  portal_spans_total: {
    type: 'counter',
    help: 'Spans of traces: sent to the collector, dropped (it did not take them)',
    labels: { outcome: ['sent', 'dropped'] },
  },
} as const satisfies Definitions

export const { count, counting, setGauge, changeGauge, readGauge, observeSeconds } =
  defineMetrics(PLATFORM_METRICS)

/** Starts the metrics of Node itself: memory, event loop, garbage collection. They cost a timer, so they are started on request. */
export function measureProcess(): void {
  if (registry.getSingleMetric('nodejs_eventloop_lag_seconds') === undefined)
    collectDefaultMetrics({ register: registry })
}

export const METRICS_TYPE = registry.contentType

/** Everything in Prometheus' text format, from memory. */
export const metricsText = (): Promise<string> => registry.metrics()
