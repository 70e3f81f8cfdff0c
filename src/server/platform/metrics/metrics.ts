import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { METRICS, type LabelsOf, type MetricName, type NameOf } from './definitions.ts'

/** From a cached page to the longest request that is waited for. */
const BUCKETS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Value<Name extends MetricName> = { labels: LabelsOf<Name>; value: number }

const registry = new Registry()

function make(name: MetricName): Counter | Gauge | Histogram {
  const { type, help, labels } = METRICS[name]
  const options = { name, help, labelNames: [...labels], registers: [registry] }
  if (type === 'counter') return new Counter(options)
  if (type === 'gauge') return new Gauge({ ...options, collect: () => readers.get(name)?.() })
  return new Histogram({ ...options, buckets: BUCKETS_SECONDS })
}

const made = Object.fromEntries(
  (Object.keys(METRICS) as MetricName[]).map((name) => [name, make(name)]),
) as Record<MetricName, Counter | Gauge | Histogram>

/** Adds to a counter. */
export function count<Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>, number = 1): void {
  ;(made[name] as Counter).inc(labels, number)
}

const countsWaiting: (() => void)[] = []

/** Adds one to a counter with each call, as `count` does; for what happens thousands of times between two scrapes. */
export function counting<Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>): () => void {
  let waiting = 0
  countsWaiting.push(() => {
    if (waiting > 0) count(name, labels, waiting)
    waiting = 0
  })
  return () => {
    waiting += 1
  }
}

export function setGauge<Name extends NameOf<'gauge'>>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
): void {
  ;(made[name] as Gauge).set(labels, value)
}

/** Replaces all values of a gauge: what is not named any more is gone. */
export function setGauges<Name extends NameOf<'gauge'>>(name: Name, values: readonly Value<Name>[]): void {
  ;(made[name] as Gauge).reset()
  for (const { labels, value } of values) setGauge(name, labels, value)
}

export function changeGauge<Name extends NameOf<'gauge'>>(
  name: Name,
  labels: LabelsOf<Name>,
  change: number,
): void {
  ;(made[name] as Gauge).inc(labels, change)
}

export function observeSeconds<Name extends NameOf<'histogram'>>(
  name: Name,
  labels: LabelsOf<Name>,
  seconds: number,
): void {
  ;(made[name] as Histogram).observe(labels, seconds)
}

const readers = new Map<MetricName, () => void>()

/** A gauge that is read at each scrape; of what is in memory only. */
export function readGauge<Name extends NameOf<'gauge'>>(
  name: Name,
  read: () => readonly Value<Name>[],
): void {
  readers.set(name, () => setGauges(name, read()))
}

/** Starts the metrics of Node itself: memory, event loop, garbage collection. They cost a timer, so they are asked for. */
export function measureProcess(): void {
  if (registry.getSingleMetric('nodejs_eventloop_lag_seconds') === undefined)
    collectDefaultMetrics({ register: registry })
}

export const METRICS_TYPE = registry.contentType

/** Everything in Prometheus' text format, from memory. */
export function metricsText(): Promise<string> {
  for (const add of countsWaiting) add()
  return registry.metrics()
}
