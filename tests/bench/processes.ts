import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { paths } from '#contract/pages.ts'
import { anAddress } from '#tests/support/players.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import type { Actor } from '../harness/players.ts'
import { inHundredths, inMs, median } from '../harness/numbers.ts'
import { benchActors, withBenchPortal } from './bench-portal.ts'
import { readyRequest, steadyLoad, type Ready } from './steady-load.ts'
import { costOf, cpuMs, idleOf, processesOf, residentMb } from '../harness/resources.ts'

/** Of a hundred requests: what players request, and what visitors who only read do, which needs no database. */
const MIXES = {
  players: { page: 45, posts: 25, verify: 18, statement: 11, purchase: 1 },
  readers: { page: 60, posts: 40, verify: 0, statement: 0, purchase: 0 },
}

type Mix = (typeof MIXES)['players']
const PLAYERS = 40
const COINS = 20_000_000
const PRICE = 10_000
const CONNECTIONS = 32
const RATIO_MIN = 1.6

/** CPU times are per request, without what the portal takes without requests. */
type Cost = { portalMs: number; postgresMs: number; clientMs: number }
type Round = Cost & { perSecond: number }
type Side = Round & { memoryMb: number[] }

type Compared = {
  one: Side
  two: Side
  /** Requests a second of two processes by those of one, on this machine with its database and the clients. */
  ratio: number
  /** What is possible at most here: the machine's time is spent by PostgreSQL and the clients too. */
  ratioPossible: number
  /** Twice the requests that a CPU second of the portal's processes answers, by those of the one process. */
  ratioOfPortal: number
  isWithin: boolean
}

/**
 * Each mix on a portal of one process and on one of two, in turn on the same machine. CPU times are per request,
 * in milliseconds; the ratio of the portal is what remains where PostgreSQL and clients have cores of their own.
 */
export async function benchProcesses(options: { rounds: number; seconds: number }) {
  return withBenchPortal((one) =>
    withBenchPortal(
      async (two) => {
        const portals = await Promise.all([one, two].map(ready))
        const readers = await measure(portals, MIXES.readers, options)
        const players = await measure(portals, MIXES.players, options)
        const isWithin = players.isWithin && readers.isWithin
        return { cores: availableParallelism(), players, readers, isWithin }
      },
      { environment: { PROCESSES: '2' } },
    ),
  )
}

async function measure(
  portals: readonly Measured[],
  mix: Mix,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Compared> {
  const sides = portals.map(({ portal, requests, idle }) => ({
    portal,
    next: mixOf(requests, mix),
    idle,
    rounds: [] as Round[],
  }))
  // Once for nothing: connections, caches and compiled code are there for every measurement.
  for (const side of sides) await take(side, seconds)
  for (let round = 0; round < rounds; round++) {
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const side = sides[index] as (typeof sides)[number]
      side.rounds.push(await take(side, seconds, side.idle))
    }
  }
  const [first, second] = await Promise.all(
    sides.map(async ({ portal, rounds: taken }) => ({
      ...medians(taken),
      memoryMb: await Promise.all((await processesOf(portal)).portal.map((pid) => residentMb({ pid }))),
    })),
  )
  return compare(first as Side, second as Side, sides.map(({ rounds: taken }) => taken) as [Round[], Round[]])
}

function compare(one: Side, two: Side, [ones, twos]: [Round[], Round[]]): Compared {
  const cores = availableParallelism()
  const ratio = median(ones.map(({ perSecond }, round) => (twos[round] as Round).perSecond / perSecond))
  const allMs = ({ portalMs, postgresMs, clientMs }: Round) => portalMs + postgresMs + clientMs
  // With all cores busy, as many requests as their time is enough for; one process is one core at most.
  const ofTwo = (cores * 1_000) / allMs(two)
  const ofOne = Math.min(1_000 / one.portalMs, (cores * 1_000) / allMs(one))
  const possible = ofTwo / ofOne
  const ofPortal = (2 * one.portalMs) / two.portalMs
  return {
    one,
    two,
    ratio: inHundredths(ratio),
    ratioPossible: inHundredths(possible),
    ratioOfPortal: inHundredths(ofPortal),
    isWithin: ratio >= RATIO_MIN || (possible < RATIO_MIN && ofPortal >= RATIO_MIN),
  }
}

function medians(rounds: readonly Round[]): Round {
  const of = (read: (round: Round) => number) => median(rounds.map(read))
  return {
    perSecond: Math.round(of(({ perSecond }) => perSecond)),
    portalMs: inHundredths(of(({ portalMs }) => portalMs)),
    postgresMs: inHundredths(of(({ postgresMs }) => postgresMs)),
    clientMs: inHundredths(of(({ clientMs }) => clientMs)),
  }
}

async function take(
  { portal, next }: { portal: PortalProcess; next: () => Ready },
  seconds: number,
  idle: Cost | null = null,
): Promise<Round> {
  const url = new URL(portal.url)
  const { cost, load } = await costOf(
    () => times(portal),
    idle,
    () => steadyLoad({ url, next, connections: CONNECTIONS, seconds }),
  )
  const { answered, failed, perSecond } = load
  if (failed > answered / 100) throw new Error(`${failed} of ${answered} requests were refused`)
  return { perSecond: inMs(perSecond), ...cost }
}

async function times(portal: PortalProcess) {
  const processes = await processesOf(portal)
  const { user, system } = process.cpuUsage()
  return {
    portalMs: await cpuMs(processes.portal),
    postgresMs: await cpuMs(processes.postgres),
    clientMs: (user + system) / 1_000,
  }
}

type Requests = Record<keyof Mix, () => Ready>
type Measured = { portal: PortalProcess; requests: Requests; idle: Cost }

async function ready(portal: PortalProcess): Promise<Measured> {
  const requests = requestsOf(await thePlayers(portal))
  // The clients' own process is not idle then.
  return { portal, requests, idle: { ...(await idleOf(() => times(portal))), clientMs: 0 } }
}

/** The next request of each kind, from many players at many addresses. All but purchases are made ready beforehand. */
export function requestsOf(players: readonly Actor[]): Requests {
  const aPlayer = () => players[Math.floor(Math.random() * players.length)] as Actor
  const get = (path: string, token?: string) =>
    readyRequest({
      path,
      address: anAddress(),
      ...(token === undefined ? {} : { token }),
    })
  const pages = [paths.home, paths.home, paths.download, paths.tournaments]
  const oneOfMany = (make: () => Ready) => {
    const many = Array.from({ length: 2_000 }, make)
    return () => many[Math.floor(Math.random() * many.length)] as Ready
  }
  return {
    page: oneOfMany(() => get(pages[Math.floor(Math.random() * pages.length)] as string)),
    posts: oneOfMany(() => get('/api/posts')),
    verify: oneOfMany(() => {
      const { token } = aPlayer()
      const body = { access_token: token }
      return readyRequest({ path: '/api/auth/verify', method: 'POST', address: anAddress(), token, body })
    }),
    statement: oneOfMany(() => get('/api/user/transactions', aPlayer().token)),
    // Each has a key of its own.
    purchase: () => {
      const { token, characterIds } = aPlayer()
      const body = { character_id: characterIds[0], amount: PRICE }
      const to = { path: '/api/exchange/store', method: 'POST', address: anAddress() } as const
      return readyRequest({ ...to, token, key: randomUUID(), body })
    },
  }
}

/** Hands out the requests of the mix in an order of chance. */
function mixOf(requests: Requests, mix: Mix): () => Ready {
  const kinds = Object.entries(mix).flatMap(([kind, share]) => Array.from({ length: share }, () => kind))
  return () => requests[kinds[Math.floor(Math.random() * kinds.length)] as keyof Mix]()
}

export const thePlayers = (portal: PortalProcess) => benchActors(portal, PLAYERS, COINS)
