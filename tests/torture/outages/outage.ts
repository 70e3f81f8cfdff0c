import { setTimeout as sleep } from 'node:timers/promises'
import { enter, post, type Actor } from '../../harness/players.ts'
import { Client } from '../../harness/client.ts'
import type { FaultRun, WorldFault } from '../faults/fault.ts'
import { visit, visitAll } from '../faults/pages.ts'
import type { Proxy } from '../../harness/proxy.ts'
import { secondsSince } from '../../harness/numbers.ts'
import type { WorldNeeds } from '../faults/world.ts'

/** Something that the portal needs, away for a while; afterwards everything has to go on without a hand. */
export type Outage = {
  name: string
  /** For how long, unless a shorter time is given. */
  seconds: number
  needs: WorldNeeds
  /** A sentence when it cannot be brought about on this machine. */
  missing?: () => string | null
  /** Before anything is away. */
  prepare?(run: FaultRun): Promise<void>
  /** Brings it about for so long, and ends it. */
  apply(run: FaultRun, ms: number): Promise<void>
  /** Whether what waited for it has been done; called until it has. */
  isMadeUp?(run: FaultRun): Promise<boolean>
  /** How long that may take. */
  madeUpSecondsMax: number
}

const STEADY_MS = 5_000
const CHANGE_SECONDS_MAX = 30
const COINS = 100_000

/** The same as a fault of the table, in a world with load, while the public pages are opened all the time. */
export function asFault(outage: Outage, seconds: number): WorldFault {
  return {
    name: outage.name,
    needs: outage.needs,
    prepares: true,
    async inject(run) {
      const ports = run.world.webs.map(({ port }) => port)
      const players = [await someone(run, 'a'), await someone(run, 'b')] as const
      await outage.prepare?.(run)
      await visitAll(ports)
      run.begin()
      const over = new AbortController()
      const visiting = visit(ports, over.signal)
      try {
        await sleep(STEADY_MS)
        await outage.apply(run, seconds * 1_000)
        run.count(outage.name)
        const ended = performance.now()
        await Promise.all([changed(run, players, ended), madeUp(run, outage, ended)])
        await sleep(STEADY_MS)
      } finally {
        over.abort()
      }
      const { requested, slowestMs, failed } = await visiting
      run.note('pages opened', requested)
      run.note('pages not shown', failed.length)
      run.note('slowest page, ms', slowestMs)
      for (const failure of failed) run.wrong(failure)
    },
  }
}

const someone = ({ world, seed, random }: FaultRun, which: string) =>
  enter(world.context, `thudo${seed % 10_000}${which}`, random, COINS)

/** From the end of the outage until a request sent after it has changed something, at each of the webs. */
async function changed(run: FaultRun, [payer, payee]: readonly [Actor, Actor], ended: number): Promise<void> {
  const { world, note, wrong } = run
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
  if (!outage.isMadeUp) return
  while (!(await outage.isMadeUp(run))) {
    if (secondsSince(ended) > outage.madeUpSecondsMax) {
      return run.wrong(`not made up for within ${outage.madeUpSecondsMax} s`)
    }
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
