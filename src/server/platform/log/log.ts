import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'

export type Log = FastifyBaseLogger

/** Names under which a secret could come along with a logged object. */
const SECRET_NAMES = [
  'password',
  'current_password',
  'access_token',
  'token',
  'authorization',
  'otp',
  'phone',
  'email',
]

/**
 * JSON lines on stdout. Requests are logged by route and status, never with bodies or headers; should an object that
 * holds a secret ever be logged, its value is cut out by name.
 */
export function openLog(level: string, destination: pino.DestinationStream = pino.destination(1)): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
      serializers: {
        err: pino.stdSerializers.err,
      },
    },
    destination,
  )
}
