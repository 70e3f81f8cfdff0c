import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cannotListen, requirePrivate, type MetricsAddress } from './metrics-address.ts'
import { measureProcess, METRICS_TYPE, metricsText } from './metrics.ts'

export type MetricsServer = { port: number; close(): Promise<void> }

/** A scrape is one short request without a body. */
const REQUEST_MS_MAX = 5_000
const CONNECTIONS_MAX = 20

/**
 * Serves `/metrics` on a port of its own, apart from the port that players reach. It has no database: a scrape reads memory.
 */
export async function openMetricsServer(address: MetricsAddress): Promise<MetricsServer> {
  await requirePrivate(address)
  measureProcess()
  const server = createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics\n')
      return
    }
    metricsText().then(
      (text) => response.writeHead(200, { 'content-type': METRICS_TYPE }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.maxConnections = CONNECTIONS_MAX
  // Not the one listener that several processes share: each has its own figures.
  server.listen({ ...address, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen(address, error as NodeJS.ErrnoException)
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close').catch(() => {})
    },
  }
}
