import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { SetupProblem } from '../values/errors.ts'
import { isPrivateAddress } from '../values/private-networks.ts'
import { measureProcess, METRICS_TYPE, metricsText } from './metrics.ts'

export type MetricsAddress = { host: string; port: number }

/** The addresses of this machine that a host stands for: all of them, where it names none. */
async function addressesOf(host: string): Promise<string[]> {
  const own = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  if (host === '0.0.0.0') return own.filter(({ family }) => family === 'IPv4').map(({ address }) => address)
  if (host === '::') return own.map(({ address }) => address)
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** Metrics have no password: only this machine and private networks may reach them. */
export async function requirePrivate(
  { host }: Pick<MetricsAddress, 'host'>,
  addresses = addressesOf,
): Promise<void> {
  const found = await addresses(host).catch(() => {
    throw new SetupProblem(
      `METRICS_HOST ${host} is no address: give 127.0.0.1 or a private one of this machine`,
    )
  })
  const strangers = found.find((address) => !isPrivateAddress(address))
  if (strangers === undefined) return
  throw new SetupProblem(
    `METRICS_HOST ${host} serves metrics without a password at ${strangers}, which strangers reach: ` +
      'set it to 127.0.0.1 or to an address of a private network',
  )
}

/** The error when the port is taken. */
export function cannotListen(
  { host, port }: MetricsAddress,
  { code, message }: NodeJS.ErrnoException,
): SetupProblem {
  return new SetupProblem(
    code === 'EADDRINUSE'
      ? `METRICS_PORT ${port} is used by another program: end it or choose another port; several processes of one ` +
          'machine share METRICS_PORT=+6000, which is that much above the PORT of each'
      : `the metrics cannot be served at METRICS_HOST ${host}, METRICS_PORT ${port}: ${message}`,
  )
}

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
  // Not on the listener shared by several processes: each has its own figures.
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
