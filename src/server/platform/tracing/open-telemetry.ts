import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as SdkSpan,
} from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent, type ExportResult } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type Span as StartedSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger as Log } from 'fastify'
import { count } from '../metrics/metrics.ts'
import { waitAtMost } from '../values/clock.ts'
import {
  IDLE,
  JOB,
  outsideSpans,
  type Span,
  type SpanStart,
  type Tracing,
  type TracingOptions,
} from './tracing.ts'

/** Spans that wait for the collector, at most. */
const WAITING_MAX = 2_048
/** Spans of one round of a job that are held until it is known whether it did anything. */
const HELD_MAX = 1_000
const WARNING_PAUSE_MS = 60_000

/** Counts lost spans, and logs a warning at most once a minute. */
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
 * are not exported. `next` is the batch processor, made with the exporter of this queue.
 */
class SpanQueue implements SpanProcessor {
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

  onStart(span: StartedSpan): void {
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

const BATCH_MAX = 512
const BATCH_PAUSE_MS = 2_000
/** For a whole export, with its repetitions. */
const EXPORT_MS_MAX = 5_000
const CLOSE_MS_MAX = 2_000
const ATTRIBUTE_LENGTH_MAX = 2_000

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

/** OpenTelemetry's SDK. Loaded only where traces are sent (start-tracing.ts). */
export function openTracing(options: TracingOptions, log: Log): Tracing {
  const exporter = new OTLPTraceExporter({
    url: options.url,
    headers: options.headers,
    timeoutMillis: EXPORT_MS_MAX,
  })
  const queue = new SpanQueue(
    log,
    exporter,
    (counted) =>
      new BatchSpanProcessor({
        exporter: counted,
        maxQueueSize: WAITING_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: BATCH_PAUSE_MS,
        exportTimeoutMillis: EXPORT_MS_MAX,
      }),
  )
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.serviceName }),
    sampler: samplerOf(options),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH_MAX },
    spanProcessors: [queue],
  })
  const tracer = provider.getTracer('cong-ninja')
  const spans = new WeakMap<Span, SdkSpan>()

  const contextOf = (parent: SpanStart['parent']): Context => {
    if (parent === null) return ROOT_CONTEXT
    if (typeof parent !== 'string') {
      const sdkSpan = spans.get(parent)
      return sdkSpan === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, sdkSpan)
    }
    const remote = parseTraceParent(parent)
    return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
  }

  return {
    start({ name, kind, attributes, parent, startedAt_ms }) {
      const sdkSpan = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          attributes,
          ...(startedAt_ms === undefined ? {} : { startTime: startedAt_ms }),
        },
        contextOf(parent),
      )
      const span = wrap(sdkSpan)
      spans.set(span, sdkSpan)
      return span
    },
    async close() {
      await waitAtMost(
        CLOSE_MS_MAX,
        // What could not be sent is counted and logged already.
        provider.shutdown().catch(() => {}),
      )
    },
  }
}

function wrap(span: SdkSpan): Span {
  const { traceId, spanId } = span.spanContext()
  return {
    ids: span.isRecording() ? { trace_id: traceId, span_id: spanId } : null,
    set: (attributes) => void span.setAttributes(attributes),
    end(failure, endedAt_ms) {
      if (failure !== undefined) {
        span.setAttribute('error.type', failure)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end(endedAt_ms)
    },
  }
}

function samplerOf({ sampler, ratio }: TracingOptions): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[sampler.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
