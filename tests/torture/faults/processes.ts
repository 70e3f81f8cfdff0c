import { FAULTS, NO_FAULTS } from '#game-server/faults.ts'
import type { Slot } from '../../harness/fleet.ts'
import { killWorkers, spawnWorker } from '../deliveries/workers.ts'
import { seeded } from '../../harness/numbers.ts'
import { pause, repeat, type FaultRun, type WorldFault } from './fault.ts'

/** T1: kill -9 of webs and worker; now and then one stands still instead. */
export const killedApps: WorldFault = {
  name: 'kill -9 or stand-still of web and worker',
  needs: {},
  async inject(run) {
    const { world, random, signal, count } = run
    const slots = [...world.webs, ...(world.worker ? [world.worker] : [])]
    await repeat(run, { leastMs: 300, mostMs: 2_500 }, async () => {
      const slot = random.pick(slots)
      if (random.below(3) === 0) {
        slot.signal('SIGSTOP')
        await pause(signal, 500 + random.below(4_000))
        slot.signal('SIGCONT')
        return count(`${slot.kind} frozen`)
      }
      await slot.kill()
      count(`${slot.kind} killed`)
      await slot.start()
    })
  },
}

/** T2: kill -9 of the postmaster and all its processes. */
export const killedPostgres: WorldFault = {
  name: 'kill -9 of PostgreSQL',
  needs: {},
  async inject(run) {
    await repeat(run, { leastMs: 500, mostMs: 4_000 }, async () => {
      await run.world.postgres.kill()
      run.count('postmaster killed')
    })
  },
}

const PACE = { leaseSeconds: 3, callTimeoutMs: 4_000 }

/** T3: workers killed at each named point, and one that stands still for longer than its lease, beside a game that fails. */
export const killedWorkers: WorldFault = {
  name: 'kill -9 of a worker between claim, send and record; frozen past its lease',
  needs: { worker: false },
  prepares: true,
  async inject(run) {
    const { world, seed, signal, count } = run
    await world.game.change({ kinds: [...FAULTS], rate: 0.2, seed, slowMs: 1_000 })
    const { promise: isWorking, resolve: onWorking } = Promise.withResolvers<void>()
    // A short time begins with the first death: what starts may need longer than that.
    if (!run.isShort) void isWorking.then(run.begin)
    const killing = killWorkers(
      {
        environment: world.environment,
        pace: PACE,
        killsMin: 0,
        arrivalsMax: run.isShort ? 1 : 4,
        random: seeded(seed + 1),
        workers: 2,
        onWorking,
        ...(run.isShort ? { onKilled: once(run.begin) } : {}),
      },
      () => signal.aborted,
    )
    await Promise.race([isWorking, killing])
    const [kills] = await Promise.all([killing, world.worker ? freeze(run, world.worker) : freezeOwn(run)])
    await world.game.change(NO_FAULTS)
    for (const [point, times] of Object.entries(kills)) count(`killed when ${point}`, times)
  },
}

/** A worker of this fault's own, where the world has none. */
async function freezeOwn(run: FaultRun): Promise<void> {
  const worker = spawnWorker(run.world.environment, PACE, { point: 'none', arrivals: 1 })
  try {
    await freeze(run, { signal: (signal) => void worker.child.kill(signal) })
  } finally {
    worker.child.kill('SIGKILL')
    await worker.ended
  }
}

/** The first call alone does it. */
function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

async function freeze({ random, signal, count }: FaultRun, worker: Pick<Slot, 'signal'>): Promise<void> {
  while (!signal.aborted) {
    await pause(signal, 500 + random.below(1_500))
    worker.signal('SIGSTOP')
    await pause(signal, PACE.leaseSeconds * 1_000 + random.below(2_000))
    worker.signal('SIGCONT')
    if (!signal.aborted) count('frozen past its lease')
  }
}
