import { availableParallelism } from 'node:os'
import { paths } from '#contract/pages.ts'
import { processesOf, residentMb } from '../harness/resources.ts'
import { type BenchPortal, withBenchPortal } from './bench-portal.ts'
import { CALLS, idleOf, measure, nextOf, thePlayers } from './calls.ts'
import { inRounds, mediansOf, ratioOf } from './rounds.ts'
import type { Ready } from './steady-load.ts'

/** Of a hundred requests: what players request, and what visitors who only read do, which needs no database. */
const MIXES = {
  players: { page: 45, posts: 25, verify: 18, statement: 11, purchase: 1 },
  readers: { page: 60, posts: 40, verify: 0, statement: 0, purchase: 0 },
}
type Mix = (typeof MIXES)['players']

const PAGES = [paths.home, paths.home, paths.download, paths.tournaments]
const CONNECTIONS = 32
const RATIO_MIN = 1.6

type Options = { pairs: number; seconds: number }

/** Each mix on a portal of one process and on one of two, in turn on the same machine. */
export const benchProcesses = (options: Options) =>
  withBenchPortal((one) =>
    withBenchPortal(
      async (two) => {
        const sides = [await sideOf(one), await sideOf(two)] as const
        const readers = await compare(sides, MIXES.readers, options)
        const players = await compare(sides, MIXES.players, options)
        return { cores: availableParallelism(), players, readers }
      },
      { environment: { PROCESSES: '2' } },
    ),
  )

type Side = Awaited<ReturnType<typeof sideOf>>

/** The next request of each kind. */
async function sideOf(portal: BenchPortal) {
  const players = await thePlayers(portal)
  let turn = 0
  const page = () => ({ path: PAGES[turn++ % PAGES.length] ?? '' })
  const kinds = Object.entries({ page, ...CALLS }).map(([kind, of]) => [kind, nextOf(players, of)] as const)
  return { portal, idle: await idleOf(portal), requests: Object.fromEntries(kinds) }
}

/** Hands out the requests of the mix in an order of chance. */
function mixOf(requests: Record<string, () => Ready>, mix: Mix): () => Ready {
  const hundred = Object.entries(mix).flatMap(([kind, share]) =>
    Array.from({ length: share }, () => requests[kind] as () => Ready),
  )
  return () => (hundred[Math.floor(Math.random() * hundred.length)] as () => Ready)()
}

async function compare([one, two]: readonly [Side, Side], mix: Mix, { pairs, seconds }: Options) {
  const take = async ({ portal, idle, requests }: Side) => {
    const next = mixOf(requests, mix)
    const load = { url: portal.url, next, connections: CONNECTIONS, seconds, refusedMax: 0.01 }
    const before = process.cpuUsage()
    const run = await measure(portal, load, idle)
    const { user, system } = process.cpuUsage(before)
    return { ...run, clientMs: (user + system) / 1_000 / (run.perSecond * seconds) }
  }
  const runs = await inRounds(pairs, { one: () => take(one), two: () => take(two) })
  const [ofOne, ofTwo] = [mediansOf(runs.one), mediansOf(runs.two)]
  const ratio = ratioOf('perSecond', runs.two, runs.one)
  // With all cores busy, as many requests as their time is enough for; one process is one core at most.
  const allCores = (run: typeof ofOne) => (availableParallelism() * 1_000) / (run.cpuMs + run.clientMs)
  const ratioPossible = allCores(ofTwo) / Math.min(1_000 / ofOne.nodeMs, allCores(ofOne))
  const ratioOfPortal = (2 * ofOne.nodeMs) / ofTwo.nodeMs
  return {
    one: { ...ofOne, memoryMb: await memoryOf(one.portal) },
    two: { ...ofTwo, memoryMb: await memoryOf(two.portal) },
    /** Requests a second of two processes by those of one, on this machine with its database and the clients. */
    ratio,
    /** What is possible at most here: the machine's time is spent by PostgreSQL and the clients too. */
    ratioPossible,
    /** The same where PostgreSQL and clients have cores of their own. */
    ratioOfPortal,
    isWithin: ratio >= RATIO_MIN || (ratioPossible < RATIO_MIN && ratioOfPortal >= RATIO_MIN),
  }
}

const memoryOf = async (portal: BenchPortal) =>
  Promise.all((await processesOf(portal)).node.map((pid) => residentMb({ pid })))
