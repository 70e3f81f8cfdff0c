import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { NO_FAULTS } from '#game-server/faults.ts'
import { grantRole } from '#server/modules/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { enter, exchange, recharge, type Actor, type Seen } from '../actors.ts'
import { resolve } from '../deliveries/people.ts'
import { TurningClient } from './clients.ts'
import type { FaultRun, WorldFault } from './fault.ts'
import { insertPlayer } from './quick-player.ts'

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
  needs: {},
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
  const buying = enter(world.context, `hoantien${seed % 10_000}n${number}`, random, COINS)
  const cashier = async (which: string) => {
    const username = `thungan${seed % 10_000}n${number}${which}`
    const token = await insertPlayer(world.db, username, 'console')
    await grantRole(world.db, { username, role: 'cashier' })
    await setProof(world.db, username)
    return token
  }
  return { tokens: [await cashier('a'), await cashier('b')], buyer: await buying }
}

/** A fresh proof that lasts as long as the longest run: refunds take one. */
const setProof = (db: Db, username: string) =>
  sql`UPDATE sessions SET step_up_at = clock_timestamp() + interval '1 day'
       WHERE user_id = (SELECT id FROM users WHERE username = ${username})`.execute(db)

/** A purchase, a pause, two refunds at once. Both operators have to be told the same final state. */
async function oneRace({ world, random, count, wrong }: FaultRun, { buyer, tokens }: Pair): Promise<void> {
  const seen: Seen[] = []
  await exchange({ ...world.context, seen }, buyer, random)
  world.seen.push(...seen)
  const [bought] = seen
  if (bought?.act !== 'exchange') {
    if (buyer.ordersLeft === 0) return void (await sleep(100))
    return recharge(world.context, buyer, COINS)
  }
  await sleep(random.below(HEAD_START_MS))
  const states = await Promise.all(
    world.webs.map(({ port }, web) => {
      const client = new TurningClient([`http://127.0.0.1:${port}`], world.traffic)
      const act = { id: bought.deliveryId, what: 'refund' } as const
      return resolve((request) => client.untilDefinite(request), tokens[web] as string, act)
    }),
  )
  const [first, second] = states
  if (first !== second || (first !== 'delivered' && first !== 'refunded')) {
    wrong(`two operators were told ${states.join(' and ')} of ${bought.deliveryId}`)
  } else count(first === 'delivered' ? 'the goods were first' : 'the refund was first')
}
