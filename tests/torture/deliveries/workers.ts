import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PausePoint } from '#server/modules/purchases/worker.service.ts'
import { PROGRAM } from '../../harness/fleet.ts'
import type { Random } from '../../harness/numbers.ts'
import { readConfig } from '#server/config/config.ts'
import { openPortalDatabase } from '#server/start/database.ts'
import { wireDeps } from '#server/app/deps.ts'
import { startDeliveryWorker } from '#server/modules/purchases/index.ts'
import { openGameBridge } from '#server/modules/game-bridge/index.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { openLog } from '#server/platform/log/log.ts'

export type WorkerPace = { leaseSeconds: number; callTimeoutMs: number }

/** A worker that pauses at `point` when the n-th delivery gets there; without a point it never pauses. */
export function spawnWorker(
  environment: Record<string, string>,
  { leaseSeconds, callTimeoutMs }: WorkerPace,
  stop: { point: PausePoint | 'none'; arrivals: number } = { point: 'none', arrivals: 1 },
) {
  const given = [stop.point, stop.arrivals, leaseSeconds, callTimeoutMs].map(String)
  const child = fork(new URL(import.meta.url), given, {
    cwd: PROGRAM,
    execArgv: [],
    env: { ...process.env, ...environment },
  })
  const ended = once(child, 'exit')
  const reports = (word: string) =>
    new Promise<boolean>((resolve) => {
      child.on('message', (message) => message === word && resolve(true))
      void ended.then(() => resolve(false))
    })
  return {
    child,
    /** Resolves when it has begun to look for deliveries, or ended before. */
    isWorking: reports('working'),
    isThere: reports('there'),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export type Killing = {
  environment: Record<string, string>
  pace: WorkerPace
  /** At each point at least. */
  killsMin: number
  arrivalsMax: number
  random: Random
  /** Called when a worker has started; before that there is nothing to race with. */
  onWorking(): void
  onKilled?(): void
  isOver(): boolean
}

const AT_ONCE = 2

/**
 * Workers one after the other, two at a time, each killed (kill -9) at the point that had the fewest deaths so far. Ends when
 * `isOver` says so and every point has had its share; who waits at a point that nothing reaches any more is killed where it is.
 */
export async function killWorkers(killing: Killing): Promise<Record<PausePoint, number>> {
  const { environment, pace, killsMin, arrivalsMax, random, onWorking, onKilled, isOver } = killing
  const kills = { claimed: 0, asked: 0, called: 0 }
  const aimed = { ...kills }
  const isDone = () => isOver() && Object.values(kills).every((count) => count >= killsMin)
  const nextPoint = () => {
    const points = Object.keys(aimed) as PausePoint[]
    return points.toSorted((a, b) => aimed[a] + kills[a] - aimed[b] - kills[b])[0] as PausePoint
  }

  async function oneAfterTheOther(): Promise<void> {
    while (!isDone()) {
      const point = nextPoint()
      aimed[point]++
      const worker = spawnWorker(environment, pace, { point, arrivals: 1 + random.below(arrivalsMax) })
      void worker.isWorking.then(onWorking)
      const found = new AbortController()
      const isThere = await Promise.race([worker.isThere, untilHopeless({ isDone, isOver }, found.signal)])
      found.abort()
      await worker.kill()
      aimed[point]--
      if (isThere) {
        kills[point]++
        onKilled?.()
      } else if (isOver()) return
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, oneAfterTheOther))
  return kills
}

const CHECK_MS = 100
const CHECKS_MAX = 200

/** Resolves when there is nothing left to wait for, or not much for a long time. */
async function untilHopeless(
  { isDone, isOver }: { isDone(): boolean; isOver(): boolean },
  found: AbortSignal,
): Promise<false> {
  for (let checks = 0; checks <= CHECKS_MAX && !isDone() && !found.aborted; await sleep(CHECK_MS))
    checks = isOver() ? checks + 1 : 0
  return false
}

/**
 * The forked process: a worker of the portal that pauses when the n-th delivery reaches a named point and reports it, so
 * that it can be killed exactly there. The portal itself has no such hook.
 */
async function run([point, arrivals, leaseSeconds, callTimeoutMs]: readonly string[]): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const database = await openPortalDatabase(config, { log, clock: systemClock, isServing: true })
  const deps = wireDeps({ config, log, database, overrides: { withPages: false } })
  const http = config.gameServer && { ...config.gameServer, callTimeoutMs: Number(callTimeoutMs) }
  let left = Number(arrivals)
  startDeliveryWorker({
    ...deps,
    game: openGameBridge({ db: database.db, log, http }),
    deliveryLeaseSeconds: Number(leaseSeconds),
    async pausePoint(reached) {
      if (reached !== point || --left > 0) return
      process.send?.('there')
      await new Promise(() => {})
    },
  })
  process.send?.('working')
}

if (import.meta.main) await run(process.argv.slice(2))
