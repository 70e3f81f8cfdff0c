import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashesAtOnce } from '#server/modules/accounts/accounts.rules.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchAnswer, type Answer } from '../harness/client.ts'
import { residentMb } from '../harness/resources.ts'
import { inMs, median, quantile } from '../harness/numbers.ts'
import { aBenchPlayer, aName, withBenchPortal, type BenchPlayer } from './bench-portal.ts'
import { probe, type Probed } from './probe.ts'

type Flood = {
  right: number
  refused: number
  busy: number
  /** What was none of those. */
  wrong: number
  seconds: number
  memoryGrowthMb: number
}

type RouteFigures = {
  idleP99Ms: number
  floodP99Ms: number[]
  medianP99Ms: number
  boundMs: number
  isWithin: boolean
}

/** Fifty players who sign in at once, each from another address. */
type Fifty = { signedIn: number; busy: number; seconds: number }

/** What a machine that does nothing else needs a second and a half for. */
const AT_ONCE = 50
const PLAYERS = 25
const IDLE_MS = 3_000
/** Passwords in work, requests in line and 500 connections; a leak would show as growth from run to run. */
const MEMORY_GROWTH_MB_MAX = 200

/** How long others wait while `logins` players sign in in the same moment, `runs` times. */
export async function benchLogins({ logins, runs }: { logins: number; runs: number }) {
  return withBenchPortal(async (portal) => {
    const players: BenchPlayer[] = []
    for (let count = 0; count < PLAYERS; count++) players.push(await aBenchPlayer(portal))
    // Once for nothing: connections, caches and compiled code are there for both measurements.
    await flood(portal, players, logins)
    const probing = { url: portal.url, token: players[0]?.token ?? '' }
    const idle = await probe(probing, () => sleep(IDLE_MS))
    const floods: Flood[] = []
    const flooded: Probed[] = []
    for (let run = 0; run < runs; run++) {
      flooded.push(
        await probe(probing, async () => {
          floods.push(await flood(portal, players, logins))
        }),
      )
    }
    const routes = Object.fromEntries(
      Object.entries(idle).map(([path, samples]) => [
        path,
        figures(
          samples,
          flooded.map((run) => run[path] ?? []),
        ),
      ]),
    )
    const baseline = await signInAtOnce(portal, players)
    const besideOthers = await amongOthers(() => signInAtOnce(portal, players))
    const isWithin =
      [baseline, besideOthers].every(({ signedIn }) => signedIn === AT_ONCE) &&
      Object.values(routes).every((route) => route.isWithin) &&
      floods.every((run) => run.wrong === 0 && run.memoryGrowthMb <= MEMORY_GROWTH_MB_MAX)
    return {
      baseline,
      // Beside other programs, as many as there are cores, that take all the time they get.
      besideOthers,
      logins,
      hashesAtOnceMax: hashesAtOnce(availableParallelism()),
      floods,
      routes,
      isWithin,
    }
  })
}

function figures(idle: readonly number[], floods: readonly number[][]): RouteFigures {
  const idleP99 = quantile(idle, 0.99)
  const floodP99 = floods.map((samples) => quantile(samples, 0.99))
  const bound = Math.max(2 * idleP99, idleP99 + 50)
  return {
    idleP99Ms: inMs(idleP99),
    floodP99Ms: floodP99.map(inMs),
    medianP99Ms: inMs(median(floodP99)),
    boundMs: inMs(bound),
    isWithin: median(floodP99) <= bound,
  }
}

async function signInAtOnce(portal: PortalProcess, players: readonly BenchPlayer[]): Promise<Fifty> {
  const start = performance.now()
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, number) => {
      const { username, password } = players[number % players.length] as BenchPlayer
      return outcomeOf(await logIn(portal, { username, password }), true)
    }),
  )
  const seconds = Math.round((performance.now() - start) / 10) / 100
  const count = (outcome: string) => answers.filter((answer) => answer === outcome).length
  return { signedIn: count('right'), busy: count('busy'), seconds }
}

const logIn = ({ url }: PortalProcess, body: object) => fetchAnswer(url, { path: '/api/auth/login', body })

async function amongOthers<Result>(work: () => Promise<Result>): Promise<Result> {
  const others = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  try {
    return await work()
  } finally {
    for (const other of others) other.kill('SIGKILL')
  }
}

/** Half of them are correct, half name an unknown user; each comes from another address. */
async function flood(portal: PortalProcess, players: readonly BenchPlayer[], logins: number): Promise<Flood> {
  const before = await residentMb(portal)
  let peak = before
  const watching = setInterval(() => {
    void residentMb(portal).then((now) => (peak = Math.max(peak, now)))
  }, 50)
  const start = performance.now()
  const answers = await Promise.all(
    Array.from({ length: logins }, async (_, number) => {
      const player = number % 2 === 0 ? players[(number / 2) % players.length] : undefined
      const credentials = player ?? { username: aName(), password: 'khong-co-ai-ca' }
      const { username, password } = credentials
      const answer = await logIn(portal, { username, password })
      return outcomeOf(answer, player !== undefined)
    }),
  )
  const seconds = Math.round((performance.now() - start) / 10) / 100
  clearInterval(watching)
  const count = (outcome: string) => answers.filter((answer) => answer === outcome).length
  return {
    right: count('right'),
    refused: count('refused'),
    busy: count('busy'),
    wrong: count('wrong'),
    seconds,
    memoryGrowthMb: peak - before,
  }
}

function outcomeOf(answer: Answer, isPlayer: boolean): 'right' | 'refused' | 'busy' | 'wrong' {
  if (answer.status === 503) return answer.retryAfterMs > 0 ? 'busy' : 'wrong'
  if (isPlayer) return answer.status === 200 && answer.text.includes('access_token') ? 'right' : 'wrong'
  return answer.status === 422 && answer.text.includes('INVALID_CREDENTIALS') ? 'refused' : 'wrong'
}
