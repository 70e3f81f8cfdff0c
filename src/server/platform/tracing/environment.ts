import { unescape } from 'node:querystring'
import type { FastifyBaseLogger as Log } from 'fastify'
import * as z from 'zod'
import { webUrl } from '../process/environment.ts'
import { SAMPLERS, useTracing, type TracingOptions } from './tracing.ts'

const A_SHARE = 'a number from 0 to 1'
const PROTOCOL = 'http/protobuf'

const HEADERS = /^\s*[^\s=,]+\s*=[^,]*(,\s*[^\s=,]+\s*=[^,]*)*$/

function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [name.trim(), unescape(value.join('=').trim())] as const
  })
  return Object.fromEntries(pairs)
}

export const tracingEnvironment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(HEADERS, 'name=value pairs, separated by commas')
    .transform(readHeaders)
    .optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal(PROTOCOL, `the portal sends ${PROTOCOL}`).optional(),
  OTEL_SERVICE_NAME: z.string().max(200).default('cong-ninja'),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number(A_SHARE).min(0, A_SHARE).max(1, A_SHARE).default(1),
}

type TracingEnvironment = z.output<z.ZodObject<typeof tracingEnvironment>>

export function tracingOf(env: TracingEnvironment): TracingOptions | null {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null
  return {
    url: `${env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: env.OTEL_SERVICE_NAME,
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  }
}

/** Traces from now on, when there is somebody to send them to; only then OpenTelemetry is loaded. Returns what ends it. */
export async function startTracing(options: TracingOptions | null, log: Log): Promise<() => Promise<void>> {
  if (options === null) return async () => {}
  const { openTracing } = await import('./open-telemetry.ts')
  const tracing = openTracing(options, log)
  useTracing(tracing)
  return async () => {
    useTracing(null)
    await tracing.close()
  }
}
