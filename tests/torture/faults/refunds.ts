import { setTimeout as sleep } from 'node:timers/promises'
import { NO_FAULTS } from '#game-server/faults.ts'
import { enter, exchange, recharge, type Actor, type ConfirmedAct } from '../../harness/players.ts'
import { Client } from '../../harness/client.ts'
import type { FaultRun, WorldFault } from './fault.ts'
import { insertOperator, resolve } from './quick-player.ts'

/** Each pair refunds what one player buys; an operator may act 120 times a minute. */
const PAIRS = 3
const COINS = 2_000_000
/** About what it takes until a delivery reaches the game, so that either may come first. */
const HEAD_START_MS = 20
const GAME_SLOW_MS = 40

type Pair = { buyer: Actor; tokens: [string, string] }

/** T13: two operators, through two webs, refund what a worker is just sending. */
export const racedRefunds: WorldFault = {
  name: 'two operators refund at once while a worker sends',
  prepares: true,
  async inject(run) {
    const { world, seed, signal } = run
    const pairs = await Promise.all(
      Array.from({ length: run.isShort ? 1 : PAIRS }, (_, number) => aPair(run, number)),
    )
    await world.game.change({ ...NO_FAULTS, kinds: ['slow'], rate: 1, seed, slowMs: GAME_SLOW_MS })
    run.begin()
    try {
      await Promise.all(
        pairs.map(async (pair) => {
          while (!signal.aborted) await oneRace(run, pair)
        }),
      )
    } finally {
      await world.game.change(NO_FAULTS)
    }
  },
}

async function aPair({ world, seed, random }: FaultRun, number: number): Promise<Pair> {
  const buying = enter(world, `hoantien${seed % 10_000}n${number}`, random, COINS)
  const cashier = (which: string) => insertOperator(world.db, `thungan${seed % 10_000}n${number}${which}`)
  return { tokens: [await cashier('a'), await cashier('b')], buyer: await buying }
}

/** A purchase, a pause, two refunds at once. Both operators have to get the same final state. */
async function oneRace({ world, random, count, wrong }: FaultRun, { buyer, tokens }: Pair): Promise<void> {
  const confirmed: ConfirmedAct[] = []
  await exchange({ ...world, confirmed }, buyer, random)
  world.confirmed.push(...confirmed)
  const [bought] = confirmed
  if (bought?.act !== 'exchange') {
    if (buyer.ordersLeft === 0) return void (await sleep(100))
    return recharge(world, buyer, COINS)
  }
  await sleep(random.below(HEAD_START_MS))
  const states = await Promise.all(
    world.webs.map(({ url }, web) => {
      const client = new Client(url, { traffic: world.traffic })
      const act = { id: bought.deliveryId, what: 'refund' } as const
      return resolve((request) => client.untilDefinite(request), tokens[web] as string, act)
    }),
  )
  const [first, second] = states
  if (first !== second || (first !== 'delivered' && first !== 'refunded')) {
    wrong(`two operators got ${states.join(' and ')} of ${bought.deliveryId}`)
  } else count(first === 'delivered' ? 'the goods were first' : 'the refund was first')
}
