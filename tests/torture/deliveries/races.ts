import { setTimeout as sleep } from 'node:timers/promises'
import { NO_FAULTS } from '#game-server/faults.ts'
import type { PortalClient } from '../portal-client.ts'
import { seeded, type Random } from '../random.ts'
import { buy, resolve, type Log } from './people.ts'
import type { Setup } from './setup.ts'
import { faultsOf, judgeDeliveries, type Verdict } from './verdict.ts'
import { withWorker } from './workers.ts'

export type RaceReport = Verdict & {
  seed: number
  rounds: number
  /** Rounds in which the two operators got different results, or a result that is not final. */
  disagreements: number
  isClean: boolean
}

/** About what it takes until a delivery reaches the game, so that either may come first. */
const HEAD_START_MS = 20
const GAME_SLOW_MS = 40

/** Rounds in which two operators, through two portals, refund what a worker is just sending. */
export async function raceRefunds(
  setup: Setup,
  { seed, rounds }: { seed: number; rounds: number },
  log: Log,
): Promise<RaceReport> {
  const random = seeded(seed)
  const before = log.bought.length
  let left = rounds
  let disagreements = 0
  await setup.change({ ...NO_FAULTS, kinds: ['slow'], rate: 1, seed, slowMs: GAME_SLOW_MS })
  await withWorker(setup.environment, { leaseSeconds: 30, callTimeoutMs: 10_000 }, async () => {
    const lanes = setup.buyers.map(async (_, lane) => {
      while (left-- > 0) if (!(await isAgreed(setup, lane, random, log))) disagreements++
    })
    await Promise.all(lanes)
  })
  const verdict = await judgeDeliveries(setup, log)
  const raced = log.bought.length - before
  return {
    seed,
    rounds: raced,
    disagreements,
    ...verdict,
    isClean: disagreements === 0 && raced === rounds && faultsOf(verdict) === 0,
  }
}

/** One round: a purchase, a pause, two refunds at once. Both operators must get the same final state. */
async function isAgreed(setup: Setup, lane: number, random: Random, log: Log): Promise<boolean> {
  const [one, other] = setup.clients as [PortalClient, PortalClient]
  const buyer = setup.buyers[lane] as Setup['buyers'][number]
  while (!(await buy(one, buyer, random, log))) continue
  const mine = log.bought.findLast(({ player }) => player === buyer.username)
  await sleep(random.below(HEAD_START_MS))
  const act = { id: mine?.id ?? '', what: 'refund' } as const
  const [first, second] = await Promise.all([
    resolve(one, setup.operatorTokens[0] as string, act),
    resolve(other, setup.operatorTokens[1] as string, act),
  ])
  return first === second && (first === 'delivered' || first === 'refunded')
}
