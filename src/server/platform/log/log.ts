import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { nameOfPlace, ownPlace } from '../this-process.ts'
import { traceFields } from '../tracing/tracing.ts'

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

type Described = { type: string; message: string; code?: unknown; stack?: string; cause?: Described }

const CAUSES_MAX = 3

/**
 * What a log needs of an error and nothing else: database errors carry their whole connection along, and the detail of
 * a constraint names the very values it refused.
 */
function describeError(error: unknown, depth = 0): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined || depth >= CAUSES_MAX
      ? {}
      : { cause: describeError(error.cause, depth + 1) }),
  }
}

/**
 * JSON lines on stdout. Requests are logged by route and status, never with bodies or headers; should an object that
 * holds a secret ever be logged, its value is cut out by name.
 */
export function openLog(level: string, destination: pino.DestinationStream = pino.destination(1)): Log {
  return pino(
    {
      level,
      base: ownPlace === null ? null : { process: nameOfPlace(ownPlace), pid: process.pid },
      mixin: traceFields,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    destination,
  )
}
