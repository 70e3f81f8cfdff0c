import { setTimeout as sleep } from 'node:timers/promises'
import type { TestTransfer } from '#tests/support/signed-notifications.ts'
import { Client } from '../harness/client.ts'
import { seeded, type Random } from '../harness/numbers.ts'
import { act, enterAll, register, type Actor, type ConfirmedAct, type Context } from '../harness/players.ts'

const PATIENCE_MS = 600_000
const NEWCOMER_EVERY_MS = 4_000
/** The most of one order: nobody runs out of it before the end. */
const COINS = 50_000_000

/** What was acknowledged, written down outside the portal, and when. */
export type Crowd = {
  confirmed: readonly ConfirmedAct[]
  /** Names whose registration was acknowledged. */
  registered: readonly string[]
  /** Moments of acknowledgements, in their order. */
  times: readonly number[]
  /** What a client got that no fault excuses; it stops then. */
  problems: readonly string[]
  stop(): Promise<void>
}

type Options = {
  urls: readonly string[]
  seed: number
  players: number
  onNotified(transfer: TestTransfer): void
}

/** Players who recharge by signed notices, exchange and send TCoin, and others who register, until they are stopped. */
export async function openCrowd({ urls, seed, players, onNotified }: Options): Promise<Crowd> {
  const times: number[] = []
  const confirmed: ConfirmedAct[] = []
  const client = new Client(urls, { patienceMs: PATIENCE_MS })
  const context: Context = { client, confirmed, onNotified }
  const actors = await enterAll(
    context,
    { name: `chuyen${seed}x`, count: players, coins: COINS },
    seeded(seed),
  )
  const registered = actors.map(({ username }) => username)
  const problems: string[] = []
  const over = new AbortController()
  const acts = { context, actors, registered, times, signal: over.signal }
  const working = [
    ...actors.map((actor, index) => trade(acts, actor, seeded(seed * 1_000 + index))),
    enterOthers(acts, `moi${seed}x`, seeded(seed * 1_000 + 999)),
  ].map((work) => work.catch((error: Error) => void problems.push(error.message)))
  return {
    confirmed,
    registered,
    times,
    problems,
    async stop() {
      over.abort()
      await Promise.all(working)
    },
  }
}

type Acts = {
  context: Context
  actors: readonly Actor[]
  registered: string[]
  times: number[]
  signal: AbortSignal
}

async function trade({ context, actors, times, signal }: Acts, actor: Actor, random: Random): Promise<void> {
  while (!signal.aborted) {
    await act(context, actors, actor, random)
    if (context.confirmed.at(-1)?.act !== 'refusal') times.push(Date.now())
    await sleep(random.below(300))
  }
}

async function enterOthers(
  { context, registered, times, signal }: Acts,
  name: string,
  random: Random,
): Promise<void> {
  for (let number = 0; !signal.aborted; number++) {
    const { username } = await register(context, `${name}${number}`, random)
    registered.push(username)
    times.push(Date.now())
    await sleep(NEWCOMER_EVERY_MS)
  }
}
