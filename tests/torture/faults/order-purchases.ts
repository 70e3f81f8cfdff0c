import { setTimeout as sleep } from 'node:timers/promises'
import type { RechargeOrder } from '#contract/recharge.ts'
import type { Random } from '../../harness/numbers.ts'
import { type Actor, enterAll, exchange, notify, post, transferFor } from '../../harness/players.ts'
import { SETTLE_MS_MAX } from '../../harness/verification.ts'
import type { FaultRun, WorldFault } from './fault.ts'

const PLAYERS = { short: 2, long: 5 }
/** So much costs the activation: the wallets are empty then. */
const COINS = 20_000
const PRICES = [20_000, 50_000]
/** One order of so many is paid this much short: its TCoin stay in the wallet, where they count for the next one. */
const SHORT_ONE_OF = 5
const SHORT_BY = 1_000

/** T23: orders that buy luong are paid, and the web or the worker is killed between credit and purchase. */
export const ordersThatBuy: WorldFault = {
  name: 'orders that buy luong; kill -9 of web and worker between credit and purchase',
  prepares: true,
  async inject(run) {
    const { world, seed, random, signal, isShort } = run
    const count = isShort ? PLAYERS.short : PLAYERS.long
    const players = await enterAll(world, { name: `muangay${seed % 10_000}n`, count, coins: COINS }, random)
    run.begin()
    const kill = oneAtATime(run)
    await Promise.all(
      players.map(async (player) => {
        do await oneOrder(run, player, kill)
        while (!signal.aborted && player.ordersLeft > 0)
      }),
    )
    run.note('orders', world.confirmed.filter(({ act }) => act === 'recharge').length - players.length)
    run.note('bought', world.confirmed.filter(({ act }) => act === 'exchange').length)
  },
}

/** Kills a web or the worker, unless one is just being killed. */
function oneAtATime({ world, random, count }: FaultRun): () => Promise<void> {
  let isKilling = false
  return async () => {
    if (isKilling) return
    isKilling = true
    const slot = random.pick(random.pick([world.webs, world.workers]))
    await sleep(random.below(100))
    await slot.kill()
    count(`${slot.kind} killed`)
    await slot.start()
    isKilling = false
  }
}

/**
 * One order, paid, and what became of it, as the player reads it. That goes into the clients' log: the money of an order is in the
 * wallet, or the goods are in the game's journal once.
 */
async function oneOrder(run: FaultRun, player: Actor, kill: () => Promise<void>): Promise<void> {
  const { world, random, wrong } = run
  const { username, characterIds, receiveOf } = player
  const price = random.pick(PRICES)
  const characterId = random.pick(characterIds)
  const receive = receiveOf.get(price) as number
  const purchase = { kind: 'exchange', character_id: characterId, receive, expected_amount: price }
  player.ordersLeft--
  const made = await post(world.client, player, '/api/recharge/orders', { channel: 2, purchase })
  if (made.status === 429) return void (player.ordersLeft = 0)
  // What was paid short before is enough for this one.
  if (made.status === 409) return exchange(world, player, random)
  if (made.status !== 201) return wrong(`an order got ${made.status} ${made.body?.code}`)
  const order = made.body as RechargeOrder
  const paid = paidFor(order, random)
  await notify(world.client, transferFor(order, paid))
  world.confirmed.push({ act: 'recharge', player: username, amount: paid, code: order.code })
  const [bought] = await Promise.all([decided(run, player, order.code), kill()])
  if (bought?.state === 'bought' && bought.delivery) {
    const deliveryId = bought.delivery.id
    world.confirmed.push({
      act: 'exchange',
      player: username,
      amount: price,
      receive,
      deliveryId,
      characterId,
    })
  } else if (bought?.reason !== 'coins-missing' || paid === order.amount)
    wrong(`an order of ${order.amount} VND that was paid with ${paid} is ${JSON.stringify(bought)}`)
}

const paidFor = ({ amount }: RechargeOrder, random: Random): number =>
  amount >= 20_000 && random.below(SHORT_ONE_OF) === 0 ? amount - SHORT_BY : amount

/** What an order bought, once that is decided. */
async function decided({ world }: FaultRun, player: Actor, code: string): Promise<RechargeOrder['purchase']> {
  const { address: from, token } = player
  const path = `/api/recharge/orders/${code}`
  for (const end = performance.now() + SETTLE_MS_MAX; ; await sleep(200)) {
    const { body } = await world.client.untilDefinite({ method: 'GET', path, from, token })
    const { purchase } = body as RechargeOrder
    if (purchase?.state !== 'waiting' || performance.now() > end) return purchase
  }
}
