import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashesAtOnce } from '#server/modules/accounts/accounts.rules.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchAnswer, type Answer } from '../harness/client.ts'
import { countsOf, median, quantile, secondsSince } from '../harness/numbers.ts'
import { residentMb } from '../harness/resources.ts'
import { aNewcomer, benchPlayers, withBenchPortal, type BenchPlayer } from './bench-portal.ts'
import { probe, type Probed } from './probe.ts'

/** What a machine that does nothing else needs a second and a half for. */
const AT_ONCE = 50
const PLAYERS = 25
const IDLE_MS = 3_000

/** How long others wait while `logins` players sign in in the same moment, `runs` times. */
export const benchLogins = ({ logins, runs }: { logins: number; runs: number }) =>
  withBenchPortal(async (portal) => {
    const players = await benchPlayers(portal, PLAYERS)
    // Once for nothing: connections, caches and compiled code are there for both measurements.
    await flood(portal, players, logins)
    const probing = { url: portal.url, token: players[0]?.token ?? '' }
    const idle = await probe(probing, () => sleep(IDLE_MS))
    const floods: Awaited<ReturnType<typeof flood>>[] = []
    const flooded: Probed[] = []
    while (floods.length < runs)
      flooded.push(await probe(probing, async () => void floods.push(await flood(portal, players, logins))))
    const routes = Object.entries(idle).map(([path, samples]) => {
      const during = flooded.map((run) => run[path] ?? [])
      return [path, figures(samples, during)] as const
    })
    const signInAtOnce = () =>
      logInAtOnce(
        portal,
        Array.from({ length: AT_ONCE }, (_, n) => players[n % PLAYERS]),
      )
    return {
      baseline: await signInAtOnce(),
      // Beside other programs, as many as there are cores, that take all the time they get.
      besideOthers: await amongOthers(signInAtOnce),
      logins,
      hashesAtOnceMax: hashesAtOnce(availableParallelism()),
      floods,
      routes: Object.fromEntries(routes),
    }
  })

function figures(idle: readonly number[], floods: readonly number[][]) {
  const idleP99Ms = quantile(idle, 0.99)
  const floodP99Ms = floods.map((samples) => quantile(samples, 0.99))
  const medianP99Ms = median(floodP99Ms)
  const boundMs = Math.max(2 * idleP99Ms, idleP99Ms + 50)
  return { idleP99Ms, floodP99Ms, medianP99Ms, boundMs, isWithin: medianP99Ms <= boundMs }
}

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

/** Half of them are correct, half name an unknown user. */
async function flood(portal: PortalProcess, players: readonly BenchPlayer[], logins: number) {
  const before = await residentMb(portal)
  let peak = before
  const watching = setInterval(() => {
    void residentMb(portal).then((now) => (peak = Math.max(peak, now)))
  }, 50)
  const who = Array.from({ length: logins }, (_, n) =>
    n % 2 === 0 ? players[(n / 2) % players.length] : undefined,
  )
  const answered = await logInAtOnce(portal, who)
  clearInterval(watching)
  return { ...answered, memoryGrowthMb: peak - before }
}

/** Players, or users whom nobody knows, who sign in at once, each from another address. */
async function logInAtOnce({ url }: PortalProcess, players: readonly (BenchPlayer | undefined)[]) {
  const start = performance.now()
  const outcomes = players.map(async (player) => {
    const { username, password } = player ?? aNewcomer()
    const answer = await fetchAnswer(url, { path: '/api/auth/login', body: { username, password } })
    return outcomeOf(answer, player !== undefined)
  })
  const counts = countsOf(await Promise.all(outcomes))
  const of = (outcome: Outcome) => counts.get(outcome) ?? 0
  return {
    signedIn: of('signed in'),
    refused: of('refused'),
    busy: of('busy'),
    /** What was none of those. */
    wrong: of('wrong'),
    seconds: secondsSince(start),
  }
}

type Outcome = 'signed in' | 'refused' | 'busy' | 'wrong'

function outcomeOf(answer: Answer, isPlayer: boolean): Outcome {
  if (answer.status === 503) return answer.retryAfterMs > 0 ? 'busy' : 'wrong'
  if (isPlayer) return answer.status === 200 && answer.text.includes('access_token') ? 'signed in' : 'wrong'
  return answer.status === 422 && answer.text.includes('INVALID_CREDENTIALS') ? 'refused' : 'wrong'
}
