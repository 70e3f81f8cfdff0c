import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { PausePoint } from '#server/modules/purchases/worker.service.ts'
import type { Random } from '../../harness/numbers.ts'
import { readConfig } from '#server/config/config.ts'
import { openPortalDatabase } from '#server/start/database.ts'
import { wireDeps } from '#server/app/deps.ts'
import { startDeliveryWorker } from '#server/modules/purchases/index.ts'
import { openGameBridge } from '#server/modules/game-bridge/index.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { openLog } from '#server/platform/log/log.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export type WorkerPace = { leaseSeconds: number; callTimeoutMs: number }
export type Kills = Record<PausePoint, number>

type Spawned = {
  child: ChildProcess
  ended: Promise<unknown>
  /** Resolves when it has begun to look for deliveries, or ended before. */
  isWorking: Promise<boolean>
  isThere: Promise<boolean>
}

/** A worker that pauses at `point` when the n-th delivery gets there; without a point it never pauses. */
export function spawnWorker(
  environment: Record<string, string>,
  { leaseSeconds, callTimeoutMs }: WorkerPace,
  stop: { point: PausePoint | 'none'; arrivals: number },
): Spawned {
  const given = [stop.point, stop.arrivals, leaseSeconds, callTimeoutMs].map(String)
  const child = fork(new URL(import.meta.url), given, {
    cwd: root,
    execArgv: [],
    env: { ...process.env, ...environment },
  })
  const ended = once(child, 'exit')
  const reports = (word: string) =>
    new Promise<boolean>((resolve) => {
      child.on('message', (message) => message === word && resolve(true))
      void ended.then(() => resolve(false))
    })
  return { child, ended, isWorking: reports('working'), isThere: reports('there') }
}

export type Killing = {
  environment: Record<string, string>
  pace: WorkerPace
  /** At each point at least. */
  killsMin: number
  arrivalsMax: number
  random: Random
  /** Workers at once. */
  workers: number
  /** Called when a worker has started; before that there is nothing to race with. */
  onWorking(): void
  onKilled?(): void
}

/**
 * Workers one after the other, each killed (kill -9) at the point that had the fewest deaths so far. Cleanup when `isOver`
 * says so and every point has had its share; who waits at a point that nothing reaches any more is killed where it is.
 */
export async function killWorkers(
  { environment, pace, killsMin, arrivalsMax, random, workers, onWorking, onKilled }: Killing,
  isOver: () => boolean,
): Promise<Kills> {
  const kills: Kills = { claimed: 0, asked: 0, called: 0 }
  const aimed: Kills = { claimed: 0, asked: 0, called: 0 }
  const isEnough = () => Object.values(kills).every((count) => count >= killsMin)
  const nextPoint = () => {
    const points = Object.keys(aimed) as PausePoint[]
    return points.toSorted((a, b) => aimed[a] + kills[a] - aimed[b] - kills[b])[0] as PausePoint
  }

  async function oneAfterTheOther(): Promise<void> {
    while (!(isEnough() && isOver())) {
      const point = nextPoint()
      aimed[point]++
      const worker = spawnWorker(environment, pace, { point, arrivals: 1 + random.below(arrivalsMax) })
      void worker.isWorking.then(onWorking)
      const hopeless = untilHopeless(() => isEnough() && isOver(), isOver)
      const isThere = await Promise.race([worker.isThere, hopeless.promise])
      hopeless.stop()
      worker.child.kill('SIGKILL')
      await worker.ended
      aimed[point]--
      if (isThere) {
        kills[point]++
        onKilled?.()
      } else if (isOver()) return
    }
  }

  await Promise.all(Array.from({ length: workers }, oneAfterTheOther))
  return kills
}

const CHECK_MS = 100
const CHECKS_MAX = 200

/** Resolves false when there is nothing left to wait for, or not much for a long time. */
function untilHopeless(isDone: () => boolean, isOver: () => boolean) {
  const { promise, resolve } = Promise.withResolvers<false>()
  let checks = 0
  const timer = setInterval(() => {
    checks = isOver() ? checks + 1 : 0
    if (isDone() || checks > CHECKS_MAX) resolve(false)
  }, CHECK_MS)
  return { promise, stop: () => clearInterval(timer) }
}

/** A worker that is left alone, and stopped at the end. */
export async function withWorker<Result>(
  environment: Record<string, string>,
  pace: WorkerPace,
  work: () => Promise<Result>,
): Promise<Result> {
  const worker = spawnWorker(environment, pace, { point: 'none', arrivals: 1 })
  try {
    if (!(await worker.isWorking)) throw new Error('a worker ended at its start')
    return await work()
  } finally {
    worker.child.kill('SIGKILL')
    await worker.ended
  }
}

/**
 * The forked process: a worker of the portal that pauses when the n-th delivery reaches a named point and reports it, so
 * that it can be killed exactly there. The portal itself has no such hook.
 */
async function run([point, arrivals, leaseSeconds, callTimeoutMs]: readonly string[]): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const database = await openPortalDatabase(config, { log, clock: systemClock })
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
