import { setTimeout as sleep } from 'node:timers/promises'
import type { TestTransfer } from '#tests/support/signed-notifications.ts'
import { act, enter, notify, type Actor, type Context, type ConfirmedAct } from '../../harness/players.ts'
import { Client } from '../../harness/client.ts'
import { type Random, seeded } from '../../harness/numbers.ts'

/** What a client saw, and between which moments (ms) the act took place. */
export type Done = { confirmed: ConfirmedAct; began: number; ended: number }

export type Crowd = {
  done: Done[]
  notified: TestTransfer[]
  /** Newcomers whose account or activation the portal no longer knows. */
  gone: number
  moveTo(urls: readonly string[]): void
  /** The bank sends every notification once more, as banks do. */
  notifyAgain(): Promise<void>
  stop(): Promise<void>
  /** At once, when there is nothing left to wait for. */
  leave(): Promise<void>
}

/** From the loss until the restored portal answers, on a busy machine. */
const LOST_MS_MAX = 600_000
const NEWCOMER_MS = 2_000
const NEWCOMERS_MAX = 12
/** The mean pause between two acts of a player: fast enough that much is under way, slow enough that it arrives. */
const PAUSE_MS = 150

/** Players who trade without pause, and newcomers, until they are stopped. A request without an answer is repeated. */
export async function openCrowd(urls: readonly string[], seed: number, players: number): Promise<Crowd> {
  const ending = new AbortController()
  const done: Done[] = []
  const notified: TestTransfer[] = []
  const clients = urls.map((url) => new Client(url, { patienceMs: LOST_MS_MAX }))
  const crowd: Crowd = {
    done,
    notified,
    gone: 0,
    moveTo: (moved) => clients.forEach((client, index) => client.moveTo(moved[index] as string)),
    async notifyAgain() {
      await Promise.all(
        notified.map((transfer, index) => notify(clients[index % clients.length] as Client, transfer)),
      )
    },
    async stop() {
      ending.abort()
      await working
    },
    async leave() {
      for (const client of clients) client.giveUp()
      await crowd.stop().catch(() => {})
    },
  }
  const contextOf = (index: number): Context => ({
    client: clients[index % clients.length] as Client,
    confirmed: [],
    onNotified: (transfer) => notified.push(transfer),
  })
  const timed = async <Result>(context: Context, work: () => Promise<Result>): Promise<Result> => {
    const began = Date.now()
    const result = await work()
    for (const confirmed of context.confirmed.splice(0)) done.push({ confirmed, began, ended: Date.now() })
    return result
  }
  const random = seeded(seed)
  const actors: Actor[] = []
  const contexts: Context[] = []
  for (let index = 0; index < players; index++) {
    const context = contextOf(index)
    contexts.push(context)
    actors.push(await timed(context, () => enter(context, nameOf(seed, `p${index}`), random)))
  }
  const play = async (context: Context, actor: Actor, own: Random) => {
    while (!ending.signal.aborted) {
      await timed(context, () => act(context, actors, actor, own))
      await sleep(own.below(2 * PAUSE_MS))
    }
  }
  const newcomers = async () => {
    const playing: Promise<void>[] = []
    for (let index = 0; index < NEWCOMERS_MAX && !ending.signal.aborted; index++) {
      await sleep(NEWCOMER_MS)
      const context = contextOf(index)
      const own = seeded(seed * 77 + index)
      playing.push(
        timed(context, () => enter(context, nameOf(seed, `n${index}`), own))
          .then((actor) => play(context, actor, own))
          .catch(onlyIfGone),
      )
    }
    await Promise.all(playing)
  }
  /** The account was lost with the database, or its activation was. Who has no session is shown amounts without characters. */
  const onlyIfGone = (error: unknown) => {
    if (!/UNAUTHENTICATED|NOT_ACTIVATED|"status":401|shows no characters/.test(String(error))) throw error
    crowd.gone++
  }
  const working = Promise.all([
    ...actors.map((actor, index) => play(contexts[index] as Context, actor, seeded(seed * 1_000 + index))),
    newcomers(),
  ])
  // A failed client is reported when they are stopped.
  working.catch(() => ending.abort())
  return crowd
}

const nameOf = (seed: number, which: string) => `khoiphuc${seed}${which}`.slice(0, 20)
