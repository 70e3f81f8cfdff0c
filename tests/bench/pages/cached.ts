import { anAddress } from '#tests/support/players.ts'
import { inHundredths, inTurn, median } from '../../harness/statistics.ts'
import { cpuMs } from '../cpu-time.ts'
import { readyRequest, steadyLoad } from '../steady-load.ts'

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
  const [own, bare] = await inTurn(
    pairs,
    () => measure(portal),
    () => measure(yardstick),
  )
  const ratios = (of: (side: Side) => number) =>
    own.map((side, at) => inHundredths(of(side) / of(bare[at] as Side)))
  const [rateRatios, cpuRatios] = [ratios((side) => side.perSecond), ratios((side) => side.cpuMs)]
  const middle = (sides: Side[]): Side => ({
    perSecond: median(sides.map(({ perSecond }) => perSecond)),
    cpuMs: Math.round(median(sides.map((side) => side.cpuMs)) * 10_000) / 10_000,
  })
  return {
    portal: middle(own),
    yardstick: middle(bare),
    rateRatios,
    rateRatio: median(rateRatios),
    cpuRatios,
    cpuRatio: median(cpuRatios),
  }
}
