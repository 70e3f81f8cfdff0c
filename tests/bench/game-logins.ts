import { signGameCall } from '#contract/game/signature.ts'
import { anAddress } from '#tests/support/players.ts'
import { fetchAnswer, type Request } from '../harness/client.ts'
import { GAME_SECRET, newFolder, startGame } from '../harness/fleet.ts'
import { countsOf, secondsSince } from '../harness/numbers.ts'
import {
  aNewcomer,
  type BenchPlayer,
  type BenchPortal,
  benchPlayers,
  withBenchPortal,
} from './bench-portal.ts'
import { idleOf, measure } from './calls.ts'
import { readyRequest, steadyLoad } from './steady-load.ts'

const PLAYERS = 25
const CONNECTIONS = 8
const PER_SECOND = 200
const READY = 500

/** Logins that the game asks about: of players who were there some minutes ago, and `first` others in the same moment. */
export async function benchGameLogins({ seconds, first }: { seconds: number; first: number }) {
  await using cleanup = new AsyncDisposableStack()
  const game = await startGame(cleanup, await newFolder(cleanup, 'bench-game'))
  return withBenchPortal(
    async (portal) => {
      const players = await benchPlayers(portal, PLAYERS)
      const flood = await floodOf(portal, players, first)
      const repeated = await measureRepeated(portal, players, seconds)
      return { repeated, flood }
    },
    { environment: { ...game.environment, LOG_LEVEL: 'info' } },
  )
}

/** `coresAt200`: what 200 a second would take of the processor, PostgreSQL's part included. */
async function measureRepeated(portal: BenchPortal, players: readonly BenchPlayer[], seconds: number) {
  let turn = 0
  const ready = Array.from({ length: READY }, (_, n) =>
    readyRequest(gameLogin(players[n % PLAYERS] as BenchPlayer)),
  )
  const load = {
    url: portal.url,
    next: () => ready[turn++ % READY] as Buffer,
    connections: CONNECTIONS,
    seconds,
  }
  await steadyLoad(load)
  const figures = await measure(portal, load, await idleOf(portal))
  return { ...figures, coresAt200: (PER_SECOND * figures.cpuMs) / 1_000 }
}

/** Half of them are of players, half name an unknown account; each costs a hash, or is told to come again. */
async function floodOf({ url, spent }: BenchPortal, players: readonly BenchPlayer[], logins: number) {
  const start = performance.now()
  const before = await spent()
  const answers = await Promise.all(
    Array.from({ length: logins }, async (_, n) => {
      const player = n % 2 === 0 ? players[(n / 2) % PLAYERS] : undefined
      const { status, body } = await fetchAnswer(url, gameLogin(player ?? aNewcomer()))
      const answer = status === 200 ? (body.status as string) : `HTTP ${status}`
      if (answer === 'slow-down') return 'slowDown'
      return answer === (player ? 'not-activated' : 'wrong') ? 'answered' : 'wrong'
    }),
  )
  const counts = countsOf(answers)
  const of = (answer: (typeof answers)[number]) => counts.get(answer) ?? 0
  const nodeMs = (await spent()).nodeMs - before.nodeMs
  const seconds = secondsSince(start)
  return {
    answered: of('answered'),
    slowDown: of('slowDown'),
    /** What was none of those. */
    wrong: of('wrong'),
    seconds,
    cores: nodeMs / 1_000 / seconds,
  }
}

/** As the game signs it; the signature may be five minutes old. */
function gameLogin({ username: account, password }: Pick<BenchPlayer, 'username' | 'password'>): Request {
  const body = JSON.stringify({ server_id: '1', account, password, address: anAddress() })
  const call = { method: 'POST', path: '/api/game/logins', body } as const
  const signature = signGameCall(GAME_SECRET, Math.floor(Date.now() / 1_000), call)
  return { ...call, headers: { 'x-portal-signature': signature } }
}
