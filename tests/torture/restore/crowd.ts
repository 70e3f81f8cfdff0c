import { setTimeout as sleep } from 'node:timers/promises'
import type { TestTransfer } from '#tests/support/signed-notifications.ts'
import { act, enter, notify, type Actor, type Context, type ConfirmedAct } from '../../harness/players.ts'
import { Client } from '../../harness/client.ts'
import { seeded, type Random } from '../../harness/numbers.ts'

/** What a client saw, and between which moments (ms) the act took place. */
export type Done = { confirmed: ConfirmedAct; began: number; ended: number }

export type Crowd = Awaited<ReturnType<typeof openCrowd>>

/** From the loss until the restored portal answers, on a busy machine. */
const LOST_MS_MAX = 600_000
const NEWCOMER_MS = 2_000
const NEWCOMERS_MAX = 12
/** The mean pause between two acts of a player: fast enough that much is under way, slow enough that it arrives. */
const PAUSE_MS = 150

/** Players who trade without pause, and newcomers, until they are stopped. A request without an answer is repeated. */
export async function openCrowd(urls: readonly string[], seed: number, players: number) {
  const ending = new AbortController()
  const done: Done[] = []
  const notified: TestTransfer[] = []
  const client = new Client(urls, { patienceMs: LOST_MS_MAX })
  let gone = 0
  const timed = async <Result>(work: (context: Context) => Promise<Result>): Promise<Result> => {
    const confirmed: ConfirmedAct[] = []
    const began = Date.now()
    const result = await work({ client, confirmed, onNotified: (transfer) => notified.push(transfer) })
    const ended = Date.now()
    done.push(...confirmed.map((one) => ({ confirmed: one, began, ended })))
    return result
  }
  const enterAs = (which: string, random: Random) =>
    timed((context) => enter(context, `khoiphuc${seed}${which}`.slice(0, 20), random))
  const random = seeded(seed)
  const actors: Actor[] = []
  for (let index = 0; index < players; index++) actors.push(await enterAs(`p${index}`, random))
  const play = async (actor: Actor, own: Random) => {
    while (!ending.signal.aborted) {
      await timed((context) => act(context, actors, actor, own))
      await sleep(own.below(2 * PAUSE_MS))
    }
  }
  /** The account was lost with the database, or its activation was. Who has no session is shown amounts without characters. */
  const onlyIfGone = (error: unknown) => {
    if (!/UNAUTHENTICATED|NOT_ACTIVATED|"status":401|shows no characters/.test(String(error))) throw error
    gone++
  }
  const newcomers = async () => {
    const playing: Promise<void>[] = []
    for (let index = 0; index < NEWCOMERS_MAX && !ending.signal.aborted; index++) {
      await sleep(NEWCOMER_MS)
      const own = seeded(seed * 77 + index)
      const entering = enterAs(`n${index}`, own)
      playing.push(entering.then((actor) => play(actor, own)).catch(onlyIfGone))
    }
    await Promise.all(playing)
  }
  const working = Promise.all([
    ...actors.map((actor, index) => play(actor, seeded(seed * 1_000 + index))),
    newcomers(),
  ])
  // A failed client is reported when they are stopped.
  working.catch(() => ending.abort())
  const stop = async () => {
    ending.abort()
    await working
  }
  return {
    done,
    notified,
    /** Newcomers whose account or activation the portal no longer knows. */
    gone: () => gone,
    moveTo: (moved: readonly string[]) => client.moveTo(moved),
    /** The bank sends every notification once more, as banks do. */
    notifyAgain: () => Promise.all(notified.map((transfer) => notify(client, transfer))),
    stop,
    /** At once, when there is nothing left to wait for. */
    async leave() {
      client.giveUp()
      await stop().catch(() => {})
    },
  }
}
