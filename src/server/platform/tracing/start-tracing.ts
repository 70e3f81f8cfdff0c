import type { FastifyBaseLogger as Log } from 'fastify'
import type { TracingOptions } from './environment.ts'
import { useTracing } from './tracing.ts'

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
