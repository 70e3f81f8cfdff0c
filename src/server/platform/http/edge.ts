import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { errorCatalogue, type RefusalBody } from '#contract/errors.ts'
import type { Log } from '../log/log.ts'

/** The abilities of a browser that no page of ours needs, taken from it and from whatever it might embed. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((ability) => `${ability}=()`)
  .join(', ')

/** The headers of every answer. Pages set their own policy, by hash of their constant scripts. */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Those that mean something on documents only; what these load and call is sent without them. */
export const DOCUMENT_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': PERMISSIONS_POLICY,
}

/** Those of answers that are given before any route. */
const EDGE_HEADERS = { ...SECURITY_HEADERS, 'cache-control': 'no-store' }

const JSON_TYPE = 'application/json; charset=utf-8'

const badRequest = (requestId: string): RefusalBody => ({
  code: 'BAD_REQUEST',
  message: errorCatalogue.BAD_REQUEST.message,
  requestId,
})

/** An address that cannot be read, `/%zz` say: refused without repeating it. */
export function refuseBadAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(400)
    .headers({ ...EDGE_HEADERS, 'x-request-id': request.id })
    .type(JSON_TYPE)
    .send(badRequest(request.id))
}

/** Pages and files are read-only. Inside `/api`, an unknown call has its own refusal. */
export function refuseOtherMethods(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead) reply.header('allow', 'GET, HEAD')
  return reply
    .code(isRead ? 404 : 405)
    .type('text/plain; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(isRead ? 'Không tìm thấy' : 'Địa chỉ này chỉ để xem')
}

const REASONS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

/** Invalid HTTP, or too large or too slow requests: one answer, then the connection is closed. */
export function refuseBrokenRequests(log: Log): (error: Error, socket: Socket) => void {
  return (error, socket) => {
    const code = String((error as NodeJS.ErrnoException).code)
    // The client has already disconnected.
    if (code === 'ECONNRESET' || socket.destroyed) return
    const requestId = randomUUID()
    const reason = REASONS[code] ?? '400 Bad Request'
    log.info({ event: 'http.broken-request', requestId, code, address: socket.remoteAddress }, reason)
    const body = JSON.stringify(badRequest(requestId))
    const headers = {
      ...EDGE_HEADERS,
      'x-request-id': requestId,
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    if (socket.writable) socket.write(`HTTP/1.1 ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
    socket.destroy(error)
  }
}
