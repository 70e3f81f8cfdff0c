import { FAULTS, NO_FAULTS } from '#game-server/faults.ts'
import { killWorkers, spawnWorker } from '../deliveries/workers.ts'
import { seeded } from '../../harness/numbers.ts'
import { pause, repeat, type FaultRun, type WorldFault } from './fault.ts'

/** T1: kill -9 of webs and worker; now and then one stands still instead. */
export const killedApps: WorldFault = {
  name: 'kill -9 or stand-still of web and worker',
  async inject(run) {
    const { world, random, signal, count } = run
    const slots = [...world.webs, ...world.workers]
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
    const killing = killWorkers({
      environment: world.environment,
      pace: PACE,
      killsMin: 0,
      arrivalsMax: run.isShort ? 1 : 4,
      random: seeded(seed + 1),
      onWorking,
      onKilled: run.begin,
      isOver: () => signal.aborted,
    })
    await Promise.race([isWorking, killing])
    const [kills] = await Promise.all([killing, freeze(run)])
    await world.game.change(NO_FAULTS)
    for (const [point, times] of Object.entries(kills)) count(`killed when ${point}`, times)
  },
}

async function freeze({ world, random, signal, count }: FaultRun): Promise<void> {
  const worker = spawnWorker(world.environment, PACE)
  try {
    while (!signal.aborted) {
      await pause(signal, 500 + random.below(1_500))
      worker.child.kill('SIGSTOP')
      await pause(signal, PACE.leaseSeconds * 1_000 + random.below(2_000))
      worker.child.kill('SIGCONT')
      if (!signal.aborted) count('frozen past its lease')
    }
  } finally {
    await worker.kill()
  }
}
