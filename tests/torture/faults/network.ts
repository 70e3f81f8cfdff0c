import { FAULTS, NO_FAULTS } from '#game-server/faults.ts'
import { pause, repeat, type FaultRun, type WorldFault } from './fault.ts'
import type { CommitCut, Proxy } from '../../harness/proxy.ts'

/** Of a thousand COMMITs, so many are cut in each way. */
const CUTS: Record<Exclude<CommitCut, 'none'>, number> = { before: 20, sent: 20, 'lost-reply': 20 }

/** T4: connections to PostgreSQL are cut at COMMIT, cut anywhere, slowed, half closed, silent, refused. */
export const cutConnections: WorldFault = {
  name: 'connections to PostgreSQL cut at COMMIT, slow, half closed, silent, flapping',
  async inject(run) {
    const { world, random, count } = run
    const { toPostgres } = world
    toPostgres.onCommit = () => {
      let dice = random.below(1_000)
      for (const [cut, share] of Object.entries(CUTS) as [Exclude<CommitCut, 'none'>, number][]) {
        if (dice < share) {
          count(`COMMIT: ${cut}`)
          return cut
        }
        dice -= share
      }
      return 'none'
    }
    await repeat(run, { leastMs: 300, mostMs: 2_000 }, () => trouble(run, toPostgres))
    toPostgres.restore()
  },
}

/** One of the ways in which a network fails. */
async function trouble({ random, signal, count }: FaultRun, proxy: Proxy): Promise<void> {
  const what = random.pick(['cut', 'half-closed', 'slow', 'flap', 'silent', 'forgotten'] as const)
  count(what)
  if (what === 'cut') proxy.cut()
  if (what === 'half-closed') proxy.halfClose()
  if (what === 'forgotten') proxy.forget()
  if (what === 'slow') {
    proxy.delayMs = 20 + random.below(200)
    await pause(signal, 1_000)
    proxy.delayMs = 0
  }
  if (what === 'flap') {
    proxy.isRefusing = true
    proxy.cut()
    await pause(signal, 300 + random.below(1_200))
    proxy.isRefusing = false
  }
  if (what === 'silent') {
    proxy.isSilent = true
    await pause(signal, 500 + random.below(2_000))
    proxy.isSilent = false
    // What was swallowed is missing in the middle of a conversation, so the connections of that time are lost.
    proxy.cut()
  }
}

/** T12: the game is slow, hangs, fails before and after its work, flaps, stands still; its network too. */
export const failingGame: WorldFault = {
  name: 'slow, hanging, failing, flapping and frozen game; half-open connections to it',
  async inject(run) {
    const { world, random, signal, seed, count } = run
    await world.game.change({ kinds: [...FAULTS], rate: 0.4, seed, slowMs: 8_000 })
    await repeat(run, { leastMs: 500, mostMs: 4_000 }, async () => {
      if (random.below(3) > 0) return trouble(run, world.toGame)
      const pid = world.game.pid()
      process.kill(pid, 'SIGSTOP')
      await pause(signal, 500 + random.below(4_000))
      process.kill(pid, 'SIGCONT')
      count('game frozen')
    })
    world.toGame.restore()
    for (const [fault, times] of Object.entries(await world.game.faultsMet())) count(fault, times)
    await world.game.change(NO_FAULTS)
  },
}
