import type { FastifyInstance, FastifyRequest } from 'fastify'
import { writeRequestLines, type Log, type RequestLine } from '../log/log.ts'
import { count, observeSeconds } from '../metrics/metrics.ts'
import { insideSpan, startRequest, type Span } from '../tracing/tracing.ts'

/** Log line and metrics of an answer, whichever way it was given. */
export function answerRecorder(log: Log): (line: RequestLine, elapsed_ms: number) => void {
  const writeLine = writeRequestLines(log)
  return (line, elapsed_ms) => {
    const { method, route, status } = line
    observeSeconds(
      'portal_request_duration_seconds',
      { method, route, status: `${Math.floor(status / 100)}xx` },
      elapsed_ms / 1_000,
    )
    if (status >= 500) count('portal_failed_requests_total', {})
    writeLine(line)
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

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null
  }
}

/**
 * A span for each request, around all that is done for it; registered before every other hook. The rendering of a page
 * calls the API inside of it.
 */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _, proceed) => {
    const { method, routeOptions, id } = request
    request.span = spanOf({ method, route: routeOptions.url ?? 'unknown', id }, trustedParent(request))
    inside(request, proceed)
  })
  // Reading the body left the context of the hook before.
  app.addHook('preValidation', (request, _, proceed) => inside(request, proceed))
  app.addHook('onResponse', (request, reply, proceed) => {
    endSpan(request.span, reply.statusCode)
    inside(request, proceed)
  })
}

function inside({ span }: FastifyRequest, proceed: () => void): void {
  if (span === null) proceed()
  else insideSpan(span, proceed)
}

/**
 * The `traceparent` of a request that a proxy of TRUST_PROXY passed on. Anybody else could make the portal record every
 * request of theirs, or mix theirs into the traces of others.
 */
function trustedParent(request: FastifyRequest): string | null {
  const { traceparent } = request.headers
  // The first address is that of the connection; a second one is there only behind a trusted first.
  const isFromProxy = (request.ips?.length ?? 0) > 1
  return isFromProxy && typeof traceparent === 'string' ? traceparent : null
}
