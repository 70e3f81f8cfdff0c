import { anAddress } from '#tests/support/players.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { inHundredths, median, quantile } from '../../harness/numbers.ts'
import { cpuMs, processesOf } from '../../harness/resources.ts'
import { CONNECTIONS } from './cached.ts'
import { readyRequest, steadyLoad } from '../steady-load.ts'

export type FloodFigures = {
  cpuMs: number
  /** Against as many cached pages. */
  cpuRatio: number
  visitorP95Ms: number
  /** Of another visitor, against the same while a client requests cached pages as fast. */
  visitorRatio: number
  statuses: Record<number, number>
}

const REQUESTS = 400
/** Of one client after the other: the CPU time of one alone is too short for the clock of /proc. */
const CLIENTS = 15

/** `/HOME`, `/hOme`, `/%68ome` …: each of the letters is small, large or written in percent signs. */
function variant(count: number): string {
  let left = count + 1
  const letters = [...'home'].map((letter) => {
    const way = left % 3
    left = Math.floor(left / 3)
    if (way === 0) return letter
    return way === 1 ? letter.toUpperCase() : `%${letter.codePointAt(0)?.toString(16)}`
  })
  return `/${letters.join('')}${'/'.repeat(left)}`
}

const FLOODS: Record<string, (count: number) => string> = {
  'cached pages': () => '/home',
  variants: variant,
  'unknown pages': (count) => `/khong-co-trang-${count}`,
  'unknown posts': (count) => `/post/${900_000 + count}`,
  queries: (count) => `/home?q=${count}`,
}

async function visitor(portal: PortalProcess, isOver: () => boolean): Promise<number[]> {
  const url = new URL(portal.url)
  const request = readyRequest({ path: '/home', address: anAddress() })
  const times: number[] = []
  while (!isOver()) {
    const { latenciesMs } = await steadyLoad({ url, next: () => request, connections: 1, answers: 20 })
    times.push(...latenciesMs)
  }
  return times
}

async function flood(portal: PortalProcess, pathOf: (count: number) => string, clients = CLIENTS) {
  const { portal: node, postgres } = await processesOf(portal)
  const pids = [...node, ...postgres]
  const before = await cpuMs(pids)
  const statuses: Record<number, number> = {}
  for (let client = 0; client < clients; client++) {
    const address = anAddress()
    const load = await steadyLoad({
      url: new URL(portal.url),
      next: (count) => readyRequest({ path: pathOf(count), address }),
      connections: CONNECTIONS,
      answers: REQUESTS,
    })
    for (const [status, number] of Object.entries(load.statuses))
      statuses[Number(status)] = (statuses[Number(status)] ?? 0) + number
  }
  return { statuses, spent: (await cpuMs(pids)) - before }
}

/** What one client’s requests for what is no page of its own cost, and how long another visitor waits meanwhile. */
export async function floods(
  portal: PortalProcess,
  { pairs }: { pairs: number },
): Promise<Record<string, FloodFigures>> {
  const taken: Record<string, { cpuMs: number; p95Ms: number; statuses: Record<number, number> }[]> = {}
  for (const pathOf of Object.values(FLOODS)) await flood(portal, pathOf, 2)
  for (let pair = 0; pair < pairs; pair++) {
    for (const [name, pathOf] of Object.entries(FLOODS)) {
      const { spent, statuses } = await flood(portal, pathOf)
      let isOver = false
      const waiting = visitor(portal, () => isOver)
      await flood(portal, pathOf)
      isOver = true
      const p95Ms = quantile(await waiting, 0.95)
      ;(taken[name] ??= []).push({ cpuMs: spent / (REQUESTS * CLIENTS), p95Ms, statuses })
    }
  }
  const base = taken['cached pages'] ?? []
  return Object.fromEntries(
    Object.entries(taken).map(([name, runs]) => [
      name,
      {
        cpuMs: Math.round(median(runs.map(({ cpuMs: each }) => each)) * 1_000) / 1_000,
        cpuRatio: inHundredths(
          median(runs.map(({ cpuMs: each }, at) => each / (base[at]?.cpuMs ?? Number.NaN))),
        ),
        visitorP95Ms: inHundredths(median(runs.map(({ p95Ms }) => p95Ms))),
        visitorRatio: inHundredths(
          median(runs.map(({ p95Ms }, at) => p95Ms / (base[at]?.p95Ms ?? Number.NaN))),
        ),
        statuses: runs[0]?.statuses ?? {},
      },
    ]),
  )
}
