import type { Config } from '../config/config.ts'
import { openOutbound } from '#server/platform/http/outbound.ts'
import { ok, warning, type Finding } from './finding.ts'

const ASK_MS = 3_000

/** Asks the collector to take no spans at all. One that is away costs the portal nothing but its traces: no error. */
export async function examineTraces({ tracing }: Config): Promise<Finding[]> {
  if (tracing === null) return []
  const { url, headers, sampler, ratio } = tracing
  const share = sampler.endsWith('ratio') ? `${sampler} ${ratio}` : sampler
  try {
    const { status } = await openOutbound([new URL(url).origin])({
      url,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: '',
      timeoutMs: ASK_MS,
    })
    if (status >= 200 && status < 300) return [ok('traces', `sent to ${url} (${share})`)]
    return [notTaken(url, `it answers ${status}`)]
  } catch (error) {
    return [notTaken(url, (error as Error).message)]
  }
}

const notTaken = (url: string, why: string) =>
  warning(
    'traces',
    `${url} takes none (${why}), they are dropped: start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS`,
  )
