import { setTimeout as sleep } from 'node:timers/promises'
import { enterAll, post, type Actor } from '../../harness/players.ts'
import { Client } from '../../harness/client.ts'
import type { FaultRun, WorldFault } from '../faults/fault.ts'
import { whilePagesAreRead } from '../faults/pages.ts'
import type { Proxy } from '../../harness/proxy.ts'
import { secondsSince } from '../../harness/numbers.ts'

/** Something that the portal needs, away for a while; afterwards everything has to go on without a hand. */
export type Outage = Pick<WorldFault, 'name' | 'needs' | 'missing'> & {
  /** For how long, unless a shorter time is given; a minute when left out. */
  seconds?: number
  /** Before anything is away. */
  prepare?(run: FaultRun): Promise<void>
  /** Brings it about for so long, and ends it. */
  apply(run: FaultRun, ms: number): Promise<void>
  /** Whether what waited for it has been done; called until it has. */
  isMadeUp?(run: FaultRun): Promise<boolean>
  /** How long that may take. */
  madeUpSecondsMax?: number
}

const STEADY_MS = 5_000
const CHANGE_SECONDS_MAX = 30
const COINS = 100_000

/** The same as a fault of the table, in a world with load, while the public pages are opened all the time. */
export const asFault = (outage: Outage, seconds: number): WorldFault => ({
  ...outage,
  prepares: true,
  async inject(run) {
    const pair = { name: `thudo${run.seed % 10_000}n`, count: 2, coins: COINS }
    const players = await enterAll(run.world, pair, run.random)
    await outage.prepare?.(run)
    await whilePagesAreRead(run, async () => {
      await sleep(STEADY_MS)
      await outage.apply(run, seconds * 1_000)
      run.count(outage.name)
      const ended = performance.now()
      await Promise.all([changed(run, players, ended), madeUp(run, outage, ended)])
      await sleep(STEADY_MS)
    })
  },
})

/** From the end of the outage until a request sent after it has changed something, at each of the webs. */
async function changed(run: FaultRun, players: readonly Actor[], ended: number): Promise<void> {
  const { world, note, wrong } = run
  const [payer, payee] = players as [Actor, Actor]
  for (const { url } of world.webs) {
    const client = new Client(url, { traffic: world.traffic })
    const body = { payee: payee.username, amount: 1 }
    const { status } = await post(client, payer, '/api/user/transfer', body)
    if (status !== 200) return wrong(`a transfer after the outage was answered ${status}`)
    world.confirmed.push({ act: 'transfer', player: payer.username, payee: payee.username, amount: 1 })
  }
  const seconds = secondsSince(ended)
  note('changed again after, s', seconds)
  if (seconds > CHANGE_SECONDS_MAX) wrong(`nothing could be changed for ${seconds} s after the outage`)
}

async function madeUp(run: FaultRun, outage: Outage, ended: number): Promise<void> {
  const { isMadeUp, madeUpSecondsMax = 0 } = outage
  if (!isMadeUp) return
  while (!(await isMadeUp(run))) {
    if (secondsSince(ended) > madeUpSecondsMax)
      return run.wrong(`not made up for within ${madeUpSecondsMax} s`)
    await sleep(500)
  }
  run.note('made up for after, s', secondsSince(ended))
}

/** First nothing listens, then something that never answers. */
export async function away(proxy: Proxy, ms: number): Promise<void> {
  proxy.isRefusing = true
  proxy.cut()
  await sleep(ms / 2)
  proxy.isRefusing = false
  proxy.isSilent = true
  await sleep(ms / 2)
  proxy.isSilent = false
  // What was swallowed is missing in the middle of a conversation.
  proxy.cut()
}
