import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from '../harness/client.ts'
import type { Actor } from '../harness/players.ts'
import { settle, withDatabase } from '../harness/verification.ts'
import { benchActors, type BenchPortal, type Cost, purchaseFor, withBenchPortal } from './bench-portal.ts'
import { addDatabase, gatherStatistics, insertRows } from './databases.ts'
import { benchNotices } from './notices.ts'
import { measureAt, startPlainServer } from './plain-server.ts'
import { inRounds, mediansOf, rateOf, ratioOf } from './rounds.ts'
import { readyRequest, type Steady, steadyLoad, type Ready } from './steady-load.ts'

const CONNECTIONS = 16
const DELIVERED_MS_MAX = 60_000
const IDLE_SECONDS = 6
const PER_SECOND = 50

/** The calls that players' pages make all the time. */
export const CALLS: Record<string, (player: Actor) => Request> = {
  posts: () => ({ path: '/api/posts' }),
  verify: ({ token }) => ({ path: '/api/auth/verify', token, body: { access_token: token } }),
  statement: ({ token }) => ({ path: '/api/user/transactions', token }),
  purchase: ({ token, characterIds }) => purchaseFor(token, characterIds[0]),
}

export const thePlayers = (portal: BenchPortal) => benchActors(portal, 40, 20_000_000)

/** What one of each call costs in all, with what it sets off, beside the plain server; and a bank's notifications. */
export const benchCalls = ({ pairs, seconds }: { pairs: number; seconds: number }) =>
  withBenchPortal(
    async (portal) => {
      await using cleanup = new AsyncDisposableStack()
      const players = await thePlayers(portal)
      const samples = Object.values(CALLS).map((requestOf) => requestOf(players[0] as Actor))
      const plain = await startPlainServer(cleanup, portal.url, samples)
      const loads = Object.entries(CALLS).map(([call, requestOf]) => {
        const next = nextOf(players, requestOf)
        return [call, { url: portal.url, next, connections: CONNECTIONS, seconds }] as const
      })
      for (const [, load] of loads) await steadyLoad(load)
      await delivered(portal)
      await gatherStatistics(portal.databaseUrl)
      const idle = await idleOf(portal)
      const calls: Record<string, object> = {}
      for (const [call, load] of loads) {
        const runs = await inRounds(pairs, {
          own: () => measure(portal, load, idle),
          plain: () => measureAt(plain, load),
        })
        const ofPlainRate = ratioOf('perSecond', runs.own, runs.plain)
        calls[call] = { ...mediansOf(runs.own), plain: mediansOf(runs.plain), ofPlainRate }
      }
      const yardstick = await addDatabase(portal.databaseUrl, 'yardstick')
      const rowInserts = await insertRows(yardstick, seconds * 1_000)
      const notices = await benchNotices(portal, { notices: 2 * PER_SECOND * pairs, perSecond: PER_SECOND })
      return { cores: availableParallelism(), pairs, calls, rowInserts, notices }
    },
    { environment: { LOG_LEVEL: 'info' } },
  )

/** The next request of one of the players. All but those with a key of their own are made ready beforehand. */
export function nextOf(players: readonly Actor[], requestOf: (player: Actor) => Request): () => Ready {
  let turn = 0
  const make = () => readyRequest(requestOf(players[turn++ % players.length] as Actor))
  if (requestOf(players[0] as Actor).key !== undefined) return make
  const ready = Array.from({ length: 2_000 }, make)
  return () => ready[turn++ % ready.length] as Ready
}

/** What is spent in a second without requests. */
export async function idleOf({ spent }: BenchPortal): Promise<Cost> {
  const before = await spent()
  await sleep(IDLE_SECONDS * 1_000)
  return spentOf(before, await spent(), (all) => all / IDLE_SECONDS)
}

const spentOf = (before: Cost, after: Cost, share: (all: number, name: keyof Cost) => number): Cost => {
  const of = (name: keyof Cost) => Math.max(0, share(after[name] - before[name], name))
  return { nodeMs: of('nodeMs'), postgresMs: of('postgresMs'), statements: of('statements') }
}

/** Without what is spent without requests. */
export async function measure(portal: BenchPortal, load: Steady, idle: Cost) {
  const start = performance.now()
  const before = await portal.spent()
  const { answered, perSecond, seconds, latenciesMs } = await steadyLoad(load)
  await delivered(portal)
  const after = await portal.spent()
  const allSeconds = (performance.now() - start) / 1_000
  const cost = spentOf(before, after, (all, name) => (all - idle[name] * allSeconds) / answered)
  return { ...rateOf(latenciesMs, seconds * 1_000), perSecond, ...cost, cpuMs: cost.nodeMs + cost.postgresMs }
}

/** Waits until everything that was bought is with its character. */
async function delivered({ databaseUrl }: BenchPortal): Promise<void> {
  const seconds = await withDatabase(databaseUrl, (db) => settle(db, DELIVERED_MS_MAX))
  if (seconds >= DELIVERED_MS_MAX / 1_000) throw new Error('deliveries were not done in time')
}
