import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { anAddress } from '#tests/support/addresses.ts'
import type { PortalProcess } from '#tests/support/portal-process.ts'
import { inHundredths, median } from '../bench-portal.ts'
import { cpuMs } from '../cpu-time.ts'
import { readOf, steadyLoad } from './steady-load.ts'

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
  const taken = { portal: [] as Side[], yardstick: [] as Side[] }
  const measure = async ({ url, path, pids }: Answering): Promise<Side> => {
    const request = readOf(path, anAddress())
    const before = await cpuMs(pids)
    const load = await steadyLoad({ url, next: () => request, connections: CONNECTIONS, seconds })
    const spent = (await cpuMs(pids)) - before
    if (load.statuses[200] !== load.answered)
      throw new Error(`${path} was answered ${JSON.stringify(load.statuses)}`)
    return { perSecond: Math.round(load.perSecond), cpuMs: spent / load.answered }
  }
  // Once for nothing: code is compiled and the page is there.
  await measure(portal)
  await measure(yardstick)
  for (let pair = 0; pair < pairs; pair++) {
    for (const name of pair % 2 === 0
      ? (['portal', 'yardstick'] as const)
      : (['yardstick', 'portal'] as const))
      taken[name].push(await measure(name === 'portal' ? portal : yardstick))
  }
  const ratios = (of: (side: Side) => number) =>
    taken.portal.map((side, at) => inHundredths(of(side) / of(taken.yardstick[at] as Side)))
  const [rateRatios, cpuRatios] = [ratios((side) => side.perSecond), ratios((side) => side.cpuMs)]
  const middle = (sides: Side[]): Side => ({
    perSecond: median(sides.map(({ perSecond }) => perSecond)),
    cpuMs: Math.round(median(sides.map((side) => side.cpuMs)) * 10_000) / 10_000,
  })
  return {
    portal: middle(taken.portal),
    yardstick: middle(taken.yardstick),
    rateRatios,
    rateRatio: median(rateRatios),
    cpuRatios,
    cpuRatio: median(cpuRatios),
  }
}

export type Bare = Answering & { end(): Promise<void> }

/** `node:http` with as many headers as the page has, and as many bytes as it is sent with. */
export async function startBareServer({ url }: PortalProcess, path: string, bytes: number): Promise<Bare> {
  const file = fileURLToPath(new URL('bare-server.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [file, url + path, String(bytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const [port] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return {
    url: new URL(`http://127.0.0.1:${port.toString().trim()}`),
    path,
    pids: [child.pid as number],
    async end() {
      child.kill()
      await closed
    },
  }
}
