import { anAddress } from '#tests/support/players.ts'
import { freePort } from '#tests/support/network.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { withBenchPortal } from '../bench-portal.ts'
import { residentMb } from '../../harness/resources.ts'
import { answerOf, ofLength, startPlainServer } from '../plain-server.ts'
import { readyRequest, steadyLoad } from '../steady-load.ts'
import { behindNginx, type CachedFigures, compareInPairs } from './cached.ts'
import { floods, type FloodFigures } from './floods.ts'
import { uncachedPages, type UncachedFigures } from './uncached.ts'

export type PagesReport = {
  cached: CachedFigures
  nginx: CachedFigures | 'nginx is not there'
  uncached: Record<string, UncachedFigures>
  floods: Record<string, FloodFigures>
  memoryMb: { atRest: number; afterwards: number }
  isWithin: boolean
}

const BOUNDS = {
  rateRatioMin: 0.65,
  cpuRatioMax: 1.6,
  nginxRatioMin: 0.9,
  uncached: { '/home': [2.3, 0.3], '/post/{id}': [1.5, 0.2] } as Record<string, [number, number]>,
  floodCpuMax: 3,
  floodWaitMax: 1.5,
  restMb: 150,
  afterwardsMb: 230,
}

/** Pages by one process with its access log on, beside plain `node:http` and a file of nginx. */
export async function benchPages(options: { pairs: number; seconds: number }): Promise<PagesReport> {
  const metricsPort = await freePort()
  return withBenchPortal(
    async (portal) => {
      const atRest = await residentMb(portal)
      const bytes = await wellPackedBytes(portal)
      const path = '/home'
      const plain = await startPlainServer({ [path]: ofLength(await asItIs(portal, path), bytes) })
      const own = { url: new URL(portal.url), path, pids: [portal.pid] }
      const cached = await compareInPairs(own, { ...plain, path }, options).finally(() => plain.end())
      const nginx = await behindNginx(portal, { ...options, bytes })
      const flooded = await floods(portal, { pairs: options.pairs })
      const afterwards = await residentMb(portal)
      const uncached = await uncachedPages(portal, { pages: 600, metricsPort })
      const report = {
        cached,
        nginx,
        uncached,
        floods: flooded,
        memoryMb: { atRest, afterwards },
      }
      return { ...report, isWithin: isWithin(report) }
    },
    { environment: { LOG_LEVEL: 'info', METRICS_PORT: String(metricsPort) } },
  )
}

const asItIs = ({ url }: PortalProcess, path: string) =>
  answerOf(new URL(path, url), { headers: { 'accept-encoding': 'identity' } })

/** Of the page as the third visitor gets it: compressed as well as it ever is. */
async function wellPackedBytes(portal: PortalProcess): Promise<number> {
  let bytes = 0
  for (let visit = 0; visit < 3; visit++) {
    await steadyLoad({
      url: new URL(portal.url),
      next: () => readyRequest({ path: '/home', address: anAddress() }),
      connections: 1,
      answers: 1,
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const answer = await fetch(`${portal.url}/home`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'br, gzip' },
  })
  bytes = Number(answer.headers.get('content-length'))
  return bytes
}

function isWithin({ cached, nginx, uncached, floods: flooded, memoryMb }: Omit<PagesReport, 'isWithin'>) {
  return (
    cached.rateRatio >= BOUNDS.rateRatioMin &&
    cached.cpuRatio <= BOUNDS.cpuRatioMax &&
    (typeof nginx === 'string' || nginx.rateRatio >= BOUNDS.nginxRatioMin) &&
    Object.entries(uncached).every(([path, { nodeCpuMs, postgresCpuMs }]) => {
      const [node = 0, postgres = 0] = BOUNDS.uncached[path] ?? []
      return nodeCpuMs <= node && postgresCpuMs <= postgres
    }) &&
    Object.values(flooded).every(
      ({ cpuRatio, visitorRatio }) => cpuRatio <= BOUNDS.floodCpuMax && visitorRatio <= BOUNDS.floodWaitMax,
    ) &&
    memoryMb.atRest <= BOUNDS.restMb &&
    memoryMb.afterwards <= BOUNDS.afterwardsMb
  )
}
