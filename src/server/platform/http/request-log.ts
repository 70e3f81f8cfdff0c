import { writeRequestLines, type Log, type RequestLine } from '../log/log.ts'
import { observeSeconds } from '../metrics/metrics.ts'
import type { Span } from '../tracing/tracing.ts'
import { startRequest } from '../tracing/tracing.ts'

type Answered = Omit<RequestLine, 'ms'> & { elapsed_ms: number }

/** Log line and metrics of an answer, whichever way it was given. */
export function answerRecorder(log: Log): (answered: Answered) => void {
  const writeLine = writeRequestLines(log)
  return ({ elapsed_ms, ...line }) => {
    const { method, route, status } = line
    observeSeconds(
      'portal_request_duration_seconds',
      { method, route, status: `${Math.floor(status / 100)}xx` },
      elapsed_ms / 1_000,
    )
    writeLine({ ...line, ms: Math.round(elapsed_ms) })
  }
}

type Asked = { method: string; route: string; id: string }

/** The span of a request; null when nothing is traced. `parent` is the `traceparent` of a trusted proxy. */
export const spanOf = ({ method, route, id }: Asked, parent: string | null): Span | null =>
  startRequest(
    `${method} ${route}`,
    { 'http.request.method': method, 'http.route': route, 'portal.request_id': id },
    parent,
  )

export function endSpan(span: Span | null, status: number): void {
  span?.set({ 'http.response.status_code': status })
  span?.end(status >= 500 ? String(status) : undefined)
}
