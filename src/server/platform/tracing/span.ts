export type SpanAttributes = Record<string, string | number | boolean>

/** One piece of work in a trace: when it began and ended, what it was a part of, and whether it failed. */
export type Span = {
  /** What joins log lines with the trace; null when the trace is not recorded. */
  ids: { trace_id: string; span_id: string } | null
  set(attributes: SpanAttributes): void
  /** `failure` is a short name of what went wrong: an error's message may hold what somebody typed. */
  end(failure?: string, endedAt_ms?: number): void
}

export type SpanStart = {
  name: string
  kind: 'server' | 'client' | 'internal'
  attributes: SpanAttributes
  /** Null begins a trace; a text is the `traceparent` of another program. */
  parent: Span | string | null
  startedAt_ms?: number
}

export type Tracing = {
  start(span: SpanStart): Span
  /** Sends what is left, for a short time. */
  close(): Promise<void>
}

/** Marks the span of a round of a job … */
export const JOB = 'portal.job'
/** … and one that found nothing to do: such a round leaves no trace. */
export const IDLE = 'portal.job.idle'
