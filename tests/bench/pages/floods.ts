import { anAddress } from '#tests/support/players.ts'
import { quantile } from '../../harness/numbers.ts'
import type { BenchPortal } from '../bench-portal.ts'
import { inRounds, mediansOf, ratioOf } from '../rounds.ts'
import { readyRequest, steadyLoad } from '../steady-load.ts'
import { CONNECTIONS } from './cached.ts'

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

const CACHED = 'cached pages'

const FLOODS: Record<string, (count: number) => string> = {
  [CACHED]: () => '/home',
  variants: variant,
  'unknown pages': (count) => `/khong-co-trang-${count}`,
  'unknown posts': (count) => `/post/${900_000 + count}`,
  queries: (count) => `/home?q=${count}`,
}

/** What one client’s requests for what is no page of its own cost, and how long another visitor waits meanwhile. */
export async function floods(portal: BenchPortal, pairs: number) {
  const taken = await inRounds(
    pairs,
    Object.fromEntries(Object.entries(FLOODS).map(([name, pathOf]) => [name, () => measure(portal, pathOf)])),
  )
  const cached = taken[CACHED] ?? []
  // Against as many cached pages, and against the wait while a client requests cached pages as fast.
  return Object.fromEntries(
    Object.entries(taken).map(([name, runs]) => [
      name,
      {
        ...mediansOf(runs),
        cpuRatio: ratioOf('cpuMs', runs, cached),
        visitorRatio: ratioOf('visitorP95Ms', runs, cached),
      },
    ]),
  )
}

async function measure(portal: BenchPortal, pathOf: (count: number) => string) {
  const costMs = async () => {
    const { nodeMs, postgresMs } = await portal.spent()
    return nodeMs + postgresMs
  }
  const before = await costMs()
  await flood(portal.url, pathOf)
  const cpuMs = ((await costMs()) - before) / (REQUESTS * CLIENTS)
  const over = new AbortController()
  const waiting = visit(portal.url, over.signal)
  await flood(portal.url, pathOf)
  over.abort()
  return { cpuMs, visitorP95Ms: quantile(await waiting, 0.95) }
}

async function flood(url: string, pathOf: (count: number) => string): Promise<void> {
  for (let client = 0; client < CLIENTS; client++) {
    const from = anAddress()
    await steadyLoad({
      url,
      next: (count) => readyRequest({ path: pathOf(count), from }),
      connections: CONNECTIONS,
      answers: REQUESTS,
      refusedMax: 1,
    })
  }
}

async function visit(url: string, over: AbortSignal): Promise<number[]> {
  const request = readyRequest({ path: '/home' })
  const times: number[] = []
  while (!over.aborted) {
    const { latenciesMs } = await steadyLoad({ url, next: () => request, connections: 1, answers: 20 })
    times.push(...latenciesMs)
  }
  return times
}
