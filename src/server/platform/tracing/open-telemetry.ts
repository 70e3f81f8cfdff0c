import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as SdkSpan,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger as Log } from 'fastify'
import { waitAtMost } from '../process/timeout.ts'
import type { TracingOptions } from './environment.ts'
import { SpanQueue, WAITING_MAX } from './span-queue.ts'
import type { Span, SpanStart, Tracing } from './tracing.ts'

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
        // What could not be sent is counted and told already.
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
