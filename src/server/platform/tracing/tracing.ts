import { AsyncLocalStorage } from 'node:async_hooks'

export type SpanAttributes = Record<string, string | number | boolean>

/** One piece of work in a trace: when it began and ended, what it was a part of, and whether it failed. */
export type Span = {
  /** The ids for log lines; null when the trace is not recorded. */
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

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Where traces go and how many of them, in OpenTelemetry's own variables. */
export type TracingOptions = {
  /** Including the path of traces. */
  url: string
  headers: Record<string, string>
  serviceName: string
  sampler: (typeof SAMPLERS)[number]
  /** For samplers with `ratio` in their name: 0.1 is one trace in ten. */
  ratio: number
}

/** Null unless OTEL_EXPORTER_OTLP_ENDPOINT is set: everything below then only runs the work it is given. */
let tracing: Tracing | null = null

/** The span that the running code is inside of. */
const current = new AsyncLocalStorage<Span>()

export const isTracing = (): boolean => tracing !== null

export function useTracing(opened: Tracing | null): void {
  tracing = opened
}

const NO_ATTRIBUTES: SpanAttributes = {}

/** The ids of the current trace for a log line; a new object, to which pino adds the line's other fields. */
export const traceFields = (): object => ({ ...current.getStore()?.ids })

/** Runs `work` outside every span, for what goes on after the work that happened to begin it. */
export const outsideSpans = <Result>(work: () => Result): Result => current.exit(work)

/** The recorded span around the running code; what is not inside one is not traced, except where a trace begins. */
function recording(): Span | null {
  const span = current.getStore()
  return span !== undefined && span.ids !== null ? span : null
}

type Part = Pick<SpanStart, 'name' | 'attributes'>

/** Runs `work` inside a span that ends with it. */
async function spanning<Result>(
  span: Span,
  work: () => Promise<Result>,
  describe: (result: Result) => SpanAttributes = () => NO_ATTRIBUTES,
): Promise<Result> {
  try {
    const result = await current.run(span, work)
    span.set(describe(result))
    span.end()
    return result
  } catch (error) {
    span.end(nameOf(error))
    throw error
  }
}

/** Runs a call to another machine as a part of the trace around it. `describe` returns the attributes of the answer. */
export async function tracedCall<Result>(
  { name, attributes }: Part,
  work: () => Promise<Result>,
  describe?: (result: Result) => SpanAttributes,
): Promise<Result> {
  const parent = recording()
  if (tracing === null || parent === null) return work()
  return spanning(tracing.start({ name, kind: 'client', attributes, parent }), work, describe)
}

/** Adds what is over already, such as an SQL statement, to the trace around it. */
export function addSpan({ name, attributes }: Part, ms: number, failure?: string): void {
  const parent = recording()
  if (tracing === null || parent === null) return
  const endedAt_ms = performance.timeOrigin + performance.now()
  const span = tracing.start({ name, kind: 'client', attributes, parent, startedAt_ms: endedAt_ms - ms })
  span.end(failure, endedAt_ms)
}

/** Runs `work` as a trace of its own. */
export async function tracedWork<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  if (tracing === null) return work()
  return spanning(tracing.start({ name, kind: 'internal', attributes: NO_ATTRIBUTES, parent: null }), work)
}

/** Runs a round of a job as a trace of its own, which is dropped when `isIdle` finds that it did nothing. */
export async function tracedRound<Result>(
  name: string,
  round: () => Promise<Result>,
  isIdle: (result: Result, ms: number) => boolean,
): Promise<Result> {
  if (tracing === null) return round()
  const started = performance.now()
  return spanning(
    tracing.start({ name: `job ${name}`, kind: 'internal', attributes: { [JOB]: name }, parent: null }),
    round,
    (result) => ({ [IDLE]: isIdle(result, performance.now() - started) }),
  )
}

/** The span of a request: inside the one around it, of another program, or the first of its trace. Null when off. */
export function startRequest(
  name: string,
  attributes: SpanAttributes,
  traceparent: string | null,
): Span | null {
  return (
    tracing?.start({ name, kind: 'server', attributes, parent: current.getStore() ?? traceparent }) ?? null
  )
}

/** Goes on inside a span. */
export const insideSpan = (span: Span, proceed: () => void): void => current.run(span, proceed)

/** Names an error by its code, or that of its cause, or its class. */
export function nameOf(error: unknown): string {
  const { code, name, cause } = (error ?? {}) as {
    code?: unknown
    name?: unknown
    cause?: { code?: unknown }
  }
  const [named] = [code, cause?.code, name].filter((one) => typeof one === 'string')
  return named ?? typeof error
}
