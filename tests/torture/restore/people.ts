import { setTimeout as sleep } from 'node:timers/promises'
import { signSepay } from '#server/modules/payment-providers/sepay/signature.ts'
import type { FakeTransfer } from '#tests/fakes/provider-server.ts'
import { PAYMENT_KEYS } from '#tests/support/payment-keys.ts'
import { act, enter, type Actor, type Context, type Seen } from '../actors.ts'
import { PortalClient } from '../portal-client.ts'
import { seeded, type Random } from '../random.ts'

/** What a client saw, and between which moments (ms) the act took place. */
export type Done = { seen: Seen; began: number; ended: number }

/** A notification as the bank sent it. */
export type Notified = FakeTransfer & { body: string }

export type People = {
  done: Done[]
  notified: Notified[]
  /** Newcomers whose account or activation the portal no longer knows. */
  gone: number
  moveTo(urls: readonly string[]): void
  /** The bank tells everything once more, as banks do. */
  tellAgain(): Promise<void>
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
export async function openPeople(urls: readonly string[], seed: number, players: number): Promise<People> {
  const ending = new AbortController()
  const done: Done[] = []
  const notified: Notified[] = []
  const clients = urls.map((url) => new PortalClient(url, LOST_MS_MAX))
  const people: People = {
    done,
    notified,
    gone: 0,
    moveTo: (moved) => clients.forEach((client, index) => client.moveTo(moved[index] as string)),
    async tellAgain() {
      await Promise.all(
        notified.map(({ body }, index) => tell(clients[index % clients.length] as PortalClient, body)),
      )
    },
    async stop() {
      ending.abort()
      await working
    },
    async leave() {
      for (const client of clients) client.giveUp()
      await people.stop().catch(() => {})
    },
  }
  const contextOf = (index: number): Context => ({
    client: clients[index % clients.length] as PortalClient,
    sepaySecret: PAYMENT_KEYS.sepay,
    seen: [],
    onNotified: (body) => notified.push(transferOf(body)),
  })
  const timed = async <Result>(context: Context, work: () => Promise<Result>): Promise<Result> => {
    const began = Date.now()
    const result = await work()
    for (const seen of context.seen.splice(0)) done.push({ seen, began, ended: Date.now() })
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
    people.gone++
  }
  const working = Promise.all([
    ...actors.map((actor, index) => play(contexts[index] as Context, actor, seeded(seed * 1_000 + index))),
    newcomers(),
  ])
  // A failed client is reported when they are stopped.
  working.catch(() => ending.abort())
  return people
}

const nameOf = (seed: number, which: string) => `khoiphuc${seed}${which}`.slice(0, 20)

/** The movement that a notification tells of. */
export function transferOf(body: string): Notified {
  const { id, transferAmount, accountNumber, content, referenceCode, transactionDate } = JSON.parse(body)
  return {
    id,
    amount: transferAmount,
    account: accountNumber,
    memo: content,
    ref: referenceCode,
    bookedAt: new Date(`${transactionDate.replace(' ', 'T')}+07:00`),
    direction: 'in',
    body,
  }
}

async function tell(client: PortalClient, body: string): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const headers = {
    'x-sepay-timestamp': timestamp,
    'x-sepay-signature': signSepay(PAYMENT_KEYS.sepay, timestamp, Buffer.from(body)),
  }
  const answer = await client.untilDefinite({ method: 'POST', path: '/api/webhooks/sepay', body, headers })
  if (answer.status !== 200) throw new Error(`a repeated notification was refused: ${JSON.stringify(answer)}`)
}
