import { anAddress } from '#tests/support/players.ts'
import { inHundredths, inTurn, median } from '../../harness/numbers.ts'
import { cpuMs } from '../../harness/resources.ts'
import { readyRequest, steadyLoad } from '../steady-load.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childrenOf, type PortalProcess } from '#tests/support/processes.ts'
import { isNginxThere, startNginx } from '#tests/support/nginx.ts'

export type CachedFigures = {
  portal: Side
  yardstick: Side
  rateRatios: number[]
  rateRatio: number
  cpuRatios: number[]
  cpuRatio: number
}
type Side = { perSecond: number; cpuMs: number }

/** One process, or one and its children, that answers requests at an address. */
export type Answering = { url: URL; path: string; pids: readonly number[] }

export const CONNECTIONS = 16

/** Both in turn, each of them first in every other pair; the ratios are those of the pairs. */
export async function compareInPairs(
  portal: Answering,
  yardstick: Answering,
  { pairs, seconds }: { pairs: number; seconds: number },
): Promise<CachedFigures> {
  const measure = async ({ url, path, pids }: Answering): Promise<Side> => {
    const request = readyRequest({ path, address: anAddress() })
    const before = await cpuMs(pids)
    const load = await steadyLoad({ url, next: () => request, connections: CONNECTIONS, seconds })
    const spent = (await cpuMs(pids)) - before
    if (load.failed > 0) throw new Error(`${path} was answered ${JSON.stringify(load.statuses)}`)
    return { perSecond: Math.round(load.perSecond), cpuMs: spent / load.answered }
  }
  // Once for nothing: code is compiled and the page is there.
  await measure(portal)
  await measure(yardstick)
  const [own, plain] = await inTurn(
    pairs,
    () => measure(portal),
    () => measure(yardstick),
  )
  const ratios = (of: (side: Side) => number) =>
    own.map((side, at) => inHundredths(of(side) / of(plain[at] as Side)))
  const [rateRatios, cpuRatios] = [ratios((side) => side.perSecond), ratios((side) => side.cpuMs)]
  const middle = (sides: Side[]): Side => ({
    perSecond: median(sides.map(({ perSecond }) => perSecond)),
    cpuMs: Math.round(median(sides.map((side) => side.cpuMs)) * 10_000) / 10_000,
  })
  return {
    portal: middle(own),
    yardstick: middle(plain),
    rateRatios,
    rateRatio: median(rateRatios),
    cpuRatios,
    cpuRatio: median(cpuRatios),
  }
}

/**
 * The portal behind the project's nginx, beside a file that the same nginx serves, with as many bytes, the same access log,
 * and as they lie there: nginx would compress a page of its own for each request. Without TLS.
 */
export async function behindNginx(
  portal: PortalProcess,
  { bytes, ...options }: { bytes: number; pairs: number; seconds: number },
): Promise<CachedFigures | 'nginx is not there'> {
  if (!isNginxThere()) return 'nginx is not there'
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-static-'))
  await writeFile(join(folder, 'static.html'), Buffer.alloc(bytes, 'a'))
  const nginx = await startNginx({
    webPorts: [Number(new URL(portal.url).port)],
    change: (file) =>
      file
        .replace(/(listen [\d.:]+) ssl http2;/, '$1;')
        .replace(
          'location /api/ {',
          `location = /static.html { root ${folder}; gzip off; }\n    location /api/ {`,
        ),
  })
  try {
    const url = new URL(`http://127.0.0.1:${nginx.httpsPort}`)
    const pids = [nginx.pid(), ...(await childrenOf(nginx.pid()))]
    return await compareInPairs(
      { url, path: '/home', pids: [...pids, portal.pid] },
      { url, path: '/static.html', pids },
      options,
    )
  } finally {
    await nginx.end()
    await rm(folder, { recursive: true })
  }
}
