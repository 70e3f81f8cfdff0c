import { TraceFlags } from '@opentelemetry/api'
import { ExportResultCode, type ExportResult } from '@opentelemetry/core'
import type { ReadableSpan, Span, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger as Log } from 'fastify'
import { count } from '../metrics/metrics.ts'
import { IDLE, JOB, outsideSpans } from './tracing.ts'

/** Spans that wait for the collector, at most. */
export const WAITING_MAX = 2_048
/** Spans of one round of a job that are kept until it is known whether it did anything. */
const HELD_MAX = 1_000
const WARNING_PAUSE_MS = 60_000

/** Counts what is lost, and says so at most once a minute. */
class Losses {
  readonly #log: Log
  #warnedAt = Number.NEGATIVE_INFINITY
  #lost = 0

  constructor(log: Log) {
    this.#log = log
  }

  add(spans: number, why: string): void {
    count('portal_spans_total', { outcome: 'dropped' }, spans)
    this.#lost += spans
    if (performance.now() - this.#warnedAt < WARNING_PAUSE_MS) return
    this.#warnedAt = performance.now()
    const lost = this.#lost
    this.#lost = 0
    outsideSpans(() =>
      this.#log.warn({ spans: lost, why }, 'spans were dropped: the collector does not take them'),
    )
  }
}

/**
 * What stands around the SDK's batches: they drop what is too much without a count of it, and know nothing of rounds that
 * are to be forgotten. `next` is the batch processor, made with the exporter of this queue.
 */
export class SpanQueue implements SpanProcessor {
  readonly #losses: Losses
  readonly #held = new Map<string, ReadableSpan[]>()
  readonly #next: SpanProcessor
  #waiting = 0

  constructor(log: Log, exporter: SpanExporter, batches: (counted: SpanExporter) => SpanProcessor) {
    this.#losses = new Losses(log)
    this.#next = batches({
      export: (spans, done) => {
        this.#waiting -= spans.length
        exporter.export(spans, (result) => {
          this.#account(spans.length, result)
          done(result)
        })
      },
      shutdown: () => exporter.shutdown(),
    })
  }

  onStart(span: Span): void {
    if (JOB in span.attributes) this.#held.set(span.spanContext().traceId, [])
  }

  onEnd(span: ReadableSpan): void {
    const { traceId, traceFlags } = span.spanContext()
    if ((traceFlags & TraceFlags.SAMPLED) === 0) return
    const held = this.#held.get(traceId)
    if (held === undefined) return this.#pass(span)
    if (!(JOB in span.attributes)) {
      if (held.length < HELD_MAX) held.push(span)
      else this.#losses.add(1, 'a round of a job has too many')
      return
    }
    this.#held.delete(traceId)
    if (span.attributes[IDLE] === true) return
    for (const one of held) this.#pass(one)
    this.#pass(span)
  }

  forceFlush(): Promise<void> {
    return this.#next.forceFlush()
  }

  shutdown(): Promise<void> {
    return this.#next.shutdown()
  }

  #pass(span: ReadableSpan): void {
    if (this.#waiting >= WAITING_MAX) return this.#losses.add(1, 'too many wait')
    this.#waiting++
    this.#next.onEnd(span)
  }

  #account(spans: number, { code, error }: ExportResult): void {
    if (code === ExportResultCode.SUCCESS) count('portal_spans_total', { outcome: 'sent' }, spans)
    else this.#losses.add(spans, error?.message ?? 'no reason given')
  }
}
