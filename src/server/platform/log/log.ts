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
export function openLog(level: string, destination: pino.DestinationStream = standardOutput()): Log {
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

/** The lines of one turn of the event loop go out in one write, also those of a process that ends. */
function standardOutput(): pino.DestinationStream {
  const output = pino.destination(1)
  let lines = ''
  const writeOut = () => {
    const written = lines
    lines = ''
    if (written !== '') output.write(written)
  }
  process.on('exit', writeOut)
  return {
    write(line) {
      if (lines === '') setImmediate(writeOut)
      lines += line
    },
  }
}

export type RequestLine = {
  requestId: string
  method: 'GET' | 'HEAD'
  route: string
  status: number
  ms: number
  address: string
}

/**
 * Writes the line of a request as the log itself would, without looking for secrets or traces in it: it has no more than
 * these fields.
 */
export function writeRequestLines(log: Log): (line: RequestLine) => void {
  const { [pino.symbols.streamSym]: output, [pino.symbols.chindingsSym]: bindings = '' } = log as unknown as {
    [pino.symbols.streamSym]: pino.DestinationStream
    [pino.symbols.chindingsSym]?: string
  }
  if (!(log as pino.Logger).isLevelEnabled('info')) return () => {}
  return ({ requestId, method, route, status, ms, address }) => {
    const time = new Date().toISOString()
    output.write(
      `{"level":"info","time":"${time}"${bindings},"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"ms":${ms},"address":"${address}","msg":"request"}\n`,
    )
  }
}
