import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { nameOfPlace, ownPlace } from '../process/identity.ts'
import { isTracing, traceFields } from '../tracing/tracing.ts'
import { noteFailure, noteRepeat } from './outages.ts'

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

let lastTime_ms = 0
let lastTime = ''

/** As pino's own, but made once for all lines of a millisecond: a cached page takes less than that. */
function isoTime(): string {
  const now_ms = Date.now()
  if (now_ms !== lastTime_ms) {
    lastTime_ms = now_ms
    lastTime = `,"time":"${new Date(now_ms).toISOString()}"`
  }
  return lastTime
}

/** The loggers of request lines, by the log that they belong to. */
const requestLogs = new WeakMap<Log, Log>()

/**
 * JSON lines on stdout. Requests are logged by route and status, never with bodies or headers; should an object that
 * holds a secret ever be logged, its value is cut out by name.
 */
export function openLog(level: string, destination: pino.DestinationStream = standardOutput()): Log {
  const options: pino.LoggerOptions = {
    level,
    base: ownPlace === null ? null : { process: nameOfPlace(ownPlace), pid: process.pid },
    timestamp: isoTime,
    formatters: { level: (label) => ({ level: label }) },
  }
  const log = pino(
    {
      ...options,
      hooks: {
        logMethod([fields, ...rest]: unknown[], method) {
          const line = quietly(fields, rest[0], log)
          if (line !== null) method.apply(this, [line, ...rest] as never)
        },
      },
      mixin: traceFields,
      redact: {
        paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    destination,
  )
  requestLogs.set(log, pino(options, destination))
  return log
}

/** The fields of a line, of which those of an outage, and of a loop that fails again and again, are fewer; null for a line that is counted. */
function quietly(fields: unknown, message: unknown, log: Log): unknown {
  const { err: error } = (fields ?? {}) as { err?: unknown }
  if (!(error instanceof Error)) return fields
  const failed = {
    error,
    fields: fields as Record<string, unknown>,
    message: String(message),
    write: (level: 'warn' | 'info', facts: Record<string, unknown>, text: string) => log[level](facts, text),
  }
  const line = noteFailure(failed)
  return line === undefined ? noteRepeat(failed) : line
}

/** How long a line may wait for others, and how many letters may wait: what a kill -9 can take along. */
const GATHER_MS = 20
const GATHERED_MAX = 64 * 1024
/** Lines from this level on are written at once, with those before them. */
const { warn: URGENT_LEVEL = 40 } = pino.levels.values

let standard: pino.DestinationStream | undefined

/** One for all logs of the process: each listens for its end. */
const standardOutput = (): pino.DestinationStream => (standard ??= gathering(pino.destination(1)))

/** Lines go out in their order, several in one write; also when the process ends, of itself or by a failure nobody caught. */
export function gathering(output: pino.DestinationStream): pino.DestinationStream & { lastLevel: number } {
  let lines = ''
  let timer: NodeJS.Timeout | null = null
  const writeOut = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const written = lines
    lines = ''
    if (written !== '') output.write(written)
  }
  process.on('exit', writeOut)
  return {
    // pino sets the level of each line before writing it, on streams that have this property.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line) {
      lines += line
      if (this.lastLevel >= URGENT_LEVEL || lines.length >= GATHERED_MAX) writeOut()
      else timer ??= setTimeout(writeOut, GATHER_MS).unref()
    },
  } as pino.DestinationStream & { lastLevel: number }
}

export type RequestLine = {
  requestId: string
  method: string
  route: string
  status: number
  ms: number
  address: string
  /** The user of a known session. */
  userId?: string | undefined
  /** The code of what was refused. */
  refusal?: string | undefined
}

/**
 * Writes the line of a request without looking for secrets in it: it has no more than these fields, which are the portal's
 * own words and numbers, and an address.
 */
export function writeRequestLines(log: Log): (line: RequestLine) => void {
  const requests = requestLogs.get(log) ?? log
  // A mixin would copy each line, also where nothing is traced.
  return (line) => requests.info(isTracing() ? { ...traceFields(), ...line } : line, 'request')
}
