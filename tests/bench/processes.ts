import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '#contract/pages.ts'
import { anAddress } from '#tests/support/addresses.ts'
import type { PortalProcess } from '#tests/support/portal-process.ts'
import { enter, type Actor } from '../torture/actors.ts'
import { PortalClient } from '../torture/portal-client.ts'
import { seeded } from '../torture/random.ts'
import { inHundredths, inMs, median, withBenchPortal } from './bench-portal.ts'
import { readyRequest, steadyLoad, type Ready } from './steady-load.ts'
import { cpuMs, memoryMb, processesOf } from './cpu-time.ts'

/** Of a hundred requests: what players ask for, and what visitors who only read do, which needs no database. */
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

/** CPU times are per request, without what the portal takes while nobody asks. */
type Round = { perSecond: number; portalMs: number; postgresMs: number; clientMs: number }
type Side = Round & { memoryMb: number[] }

export type ProcessesReport = { cores: number; players: Compared; readers: Compared; isWithin: boolean }

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
export async function benchProcesses(wanted: { rounds: number; seconds: number }): Promise<ProcessesReport> {
  return withBenchPortal((one) =>
    withBenchPortal(
      async (two) => {
        const portals = await Promise.all([one, two].map(ready))
        const readers = await measure(portals, MIXES.readers, wanted)
        const players = await measure(portals, MIXES.players, wanted)
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
      memoryMb: await memoryMb((await processesOf(portal)).portal),
    })),
  )
  return judge(first as Side, second as Side, sides.map(({ rounds: taken }) => taken) as [Round[], Round[]])
}

function judge(one: Side, two: Side, [ones, twos]: [Round[], Round[]]): Compared {
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

/** CPU milliseconds a second while nobody asks. */
type Idle = { portal: number; postgres: number }

const IDLE_SECONDS = 6

async function idleOf(portal: PortalProcess): Promise<Idle> {
  const before = await times(portal)
  await sleep(IDLE_SECONDS * 1_000)
  const after = await times(portal)
  return {
    portal: (after.portal - before.portal) / IDLE_SECONDS,
    postgres: (after.postgres - before.postgres) / IDLE_SECONDS,
  }
}

async function take(
  { portal, next }: { portal: PortalProcess; next: () => Ready },
  seconds: number,
  idle: Idle = { portal: 0, postgres: 0 },
): Promise<Round> {
  const before = await times(portal)
  const {
    answered,
    failed,
    seconds: taken,
  } = await steadyLoad({ url: new URL(portal.url), next, connections: CONNECTIONS, seconds })
  const after = await times(portal)
  if (failed > answered / 100) throw new Error(`${failed} of ${answered} requests were refused`)
  const each = (name: keyof typeof before, ofIdle = 0) =>
    (after[name] - before[name] - ofIdle * taken) / answered
  return {
    perSecond: inMs(answered / taken),
    portalMs: each('portal', idle.portal),
    postgresMs: each('postgres', idle.postgres),
    clientMs: each('client'),
  }
}

async function times(portal: PortalProcess) {
  const processes = await processesOf(portal)
  const { user, system } = process.cpuUsage()
  return {
    portal: await cpuMs(processes.portal),
    postgres: await cpuMs(processes.postgres),
    client: (user + system) / 1_000,
  }
}

type Requests = Record<keyof Mix, () => Ready>
type Measured = { portal: PortalProcess; requests: Requests; idle: Idle }

async function ready(portal: PortalProcess): Promise<Measured> {
  const requests = requestsOf(await thePlayers(portal))
  return { portal, requests, idle: await idleOf(portal) }
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

export async function thePlayers({ url, dataDir }: PortalProcess): Promise<Actor[]> {
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>
  const context = { client: new PortalClient(url), sepaySecret: secrets.SEPAY_WEBHOOK_SECRET ?? '', seen: [] }
  const random = seeded(Date.now())
  const players: Actor[] = []
  for (let player = 0; player < PLAYERS; player++)
    players.push(await enter(context, `nguoichoi${Date.now().toString(36)}${player}`, random, COINS))
  return players
}
