import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { anAddress } from '#tests/support/players.ts'
import { aReceipt, anHourAgo, formOf, partsOf } from '#tests/support/uploads.ts'
import { notificationOf, type TestTransfer } from '#tests/support/signed-notifications.ts'
import type { Answer, Client } from './client.ts'
import { seeded, type Random } from './numbers.ts'

/** An act of a client and its definite answer, recorded outside the database. */
export type ConfirmedAct =
  | { act: 'recharge'; player: string; amount: number; code: string }
  | { act: 'activation'; player: string; amount: number }
  | {
      act: 'exchange'
      player: string
      amount: number
      receive: number
      deliveryId: string
      characterId: string
    }
  | { act: 'gift'; player: string; amount: number; deliveryId: string }
  | { act: 'transfer'; player: string; payee: string; amount: number }
  | { act: 'claim'; player: string }
  | { act: 'refusal'; player: string; code: string }

export type Actor = {
  username: string
  /** Each plays from an address of their own. */
  address: string
  /** Orders a player may still open. The portal takes thirty an hour; one that is cut off and sent again counts twice. */
  ordersLeft: number
  token: string
  characterIds: string[]
  receiveOf: ReadonlyMap<number, number>
}

export type Context = {
  client: Client
  confirmed: ConfirmedAct[]
  /** Called with each transfer before the bank notifies the portal of it. */
  onNotified?: (transfer: TestTransfer) => void
  /** Takes over what the bank still has to send; without it the player waits for the bank. */
  aside?: (work: Promise<void>) => void
}

const ORDERS_MAX = 20
const EXCHANGED = [10_000, 20_000, 50_000]
/** The gift can be taken again after a refund, so only the ledger can say whether there was one too many. */
const REFUSALS_EXPECTED = new Set([
  'INSUFFICIENT_BALANCE',
  'LIMIT_EXCEEDED',
  'RATE_LIMITED',
  'GIFT_ALREADY_TAKEN',
])

export type Newcomer = Pick<Actor, 'username' | 'address' | 'token' | 'ordersLeft'>

export const PASSWORD = 'tho-ren-12'

export const logIn = (
  client: Client,
  { username, address }: Pick<Actor, 'username' | 'address'>,
): Promise<Answer> =>
  client.untilDefinite({
    path: '/api/auth/login',
    from: address,
    body: { username, password: PASSWORD },
  })

/** A new player with an empty wallet. */
export async function register({ client }: Context, name: string, random: Random): Promise<Newcomer> {
  const phone = `09${String(random.below(100_000_000)).padStart(8, '0')}`
  const body = { username: name, password: PASSWORD, phone, name, server_id: '1' }
  const address = anAddress()
  const registered = await client.untilDefinite({ path: '/api/auth/register', from: address, body })
  // Cut off after its effect, a registration is refused when it is repeated; the player then signs in.
  const signedIn = registered.body.access_token
    ? registered
    : await logIn(client, { username: name, address })
  const token = signedIn.body.access_token as string
  if (!token) throw new Error(`registration failed: ${JSON.stringify(registered)}`)
  return { username: name, address, token, ordersLeft: ORDERS_MAX }
}

/** So many of them, numbered behind their name, one after the other. */
export async function enterAll(
  context: Context,
  { name, count, coins }: { name: string; count: number; coins?: number },
  random: Random,
): Promise<Actor[]> {
  const actors: Actor[] = []
  while (actors.length < count)
    actors.push(await enter(context, `${name}${actors.length}`.slice(0, 20), random, coins))
  return actors
}

/** A new player with money in the wallet, activated, with characters in the game. */
export async function enter(context: Context, name: string, random: Random, coins = 400_000): Promise<Actor> {
  const { client } = context
  const newcomer = await register(context, name, random)
  const { address, token } = newcomer
  await recharge(context, newcomer, coins)
  await activate(client, newcomer)
  context.confirmed.push({ act: 'activation', player: name, amount: 20_000 })
  const exchange = await offerTo(client, address, token)
  return {
    ...newcomer,
    characterIds: exchange.characters.map(({ id }) => id),
    receiveOf: new Map(exchange.amounts.map(({ amount, receive }) => [amount, receive])),
  }
}

/** Something that a player does, with a key of its own, until its answer is definite. */
export const post = (
  client: Client,
  { address: from, token }: Pick<Actor, 'address' | 'token'>,
  path: string,
  body?: unknown,
): Promise<Answer> => client.untilDefinite({ method: 'POST', path, from, token, key: randomUUID(), body })

/** Takes a player's team out of a tournament, until the answer is definite. */
export const withdraw = (
  client: Client,
  { address: from, token }: Pick<Actor, 'address' | 'token'>,
  path: string,
): Promise<Answer> => client.untilDefinite({ method: 'DELETE', path, from, token, key: randomUUID() })

const CREDIT_MS_MAX = 120_000

/** A notification that was stored while the database went away is settled by a worker later: so long the coins are missing. */
async function activate(client: Client, newcomer: Newcomer): Promise<void> {
  for (const end = Date.now() + CREDIT_MS_MAX; ; await sleep(500)) {
    const { status, body } = await post(client, newcomer, '/api/user/active')
    if (status === 200) return
    const isWaiting = body?.code === 'INSUFFICIENT_BALANCE' && Date.now() < end
    if (!isWaiting) throw new Error(`activation failed: ${status} ${JSON.stringify(body)}`)
  }
}

type ExchangeOffer = { characters: { id: string }[]; amounts: { amount: number; receive: number }[] }

const OFFER_TRIES = 100

/** Characters and amounts; a game that fails shows no characters for a while. */
export async function offerTo(client: Client, from: string, token: string): Promise<ExchangeOffer> {
  for (let left = OFFER_TRIES; left > 0; left--) {
    const { body } = await client.untilDefinite({ method: 'GET', path: '/api/exchange', from, token })
    if ((body as ExchangeOffer).characters.length > 0) return body
    await sleep(200)
  }
  throw new Error('the game shows no characters')
}

/** What all players do at once until the signal, each with random numbers of their own. */
export async function tradeUntil(
  signal: AbortSignal,
  { context, actors, seed }: { context: Context; actors: readonly Actor[]; seed: number },
  afterAct: (random: Random, tookMs: number) => unknown = () => {},
): Promise<void> {
  await Promise.all(
    actors.map(async (actor, index) => {
      const random = seeded(seed * 1_000 + index)
      while (!signal.aborted) {
        const began = performance.now()
        await act(context, actors, actor, random)
        await afterAct(random, performance.now() - began)
      }
    }),
  )
}

/** One random act, repeated until its answer is definite. */
export async function act(
  context: Context,
  actors: readonly Actor[],
  actor: Actor,
  random: Random,
): Promise<void> {
  const dice = random.below(10)
  if (dice < 2 && actor.ordersLeft > 0) return recharge(context, actor, 10_000 * (1 + random.below(20)))
  if (dice < 6) return exchange(context, actor, random)
  return transfer(
    context,
    actor,
    random.pick(actors.filter((other) => other !== actor)),
    1 + random.below(30_000),
  )
}

export async function recharge(context: Context, actor: Newcomer, amount: number): Promise<void> {
  actor.ordersLeft--
  const order = await post(context.client, actor, '/api/recharge/orders', { channel: 2, amount })
  // A request that is sent again counts again, so the hour's orders may be used up before.
  if (order.status === 429) actor.ordersLeft = 0
  if (order.status !== 201) return refused(context, actor.username, order.body)
  const paying = pay(context, { player: actor.username, amount, order: order.body })
  if (context.aside) context.aside(paying)
  else await paying
}

type Order = { code: string; account_number: string; memo: string }
type Payment = { player: string; amount: number; order: Order }

/** The bank's part: it notifies the portal of the transfer until that is confirmed. */
async function pay(context: Context, { player, amount, order }: Payment): Promise<void> {
  const { client, confirmed } = context
  const transfer = transferFor(order, amount)
  context.onNotified?.(transfer)
  // A provider repeats notifications too, after any answer.
  for (let copy = 0; copy < 2; copy++) await notify(client, transfer)
  confirmed.push({ act: 'recharge', player, amount, code: order.code })
}

/** Sends SePay's notification of a transfer, signed at this moment, until it is accepted. */
export async function notify(client: Client, transfer: TestTransfer): Promise<void> {
  const { url: path, headers, body } = notificationOf({ provider: 'sepay', transfer, at: new Date() })
  const answer = await client.untilDefinite({ path, headers, body })
  if (answer.status !== 200) throw new Error(`the notification was refused: ${JSON.stringify(answer)}`)
}

let transferIds = Date.now()

/** What a player pays for an order, as the bank books it. */
export function transferFor(order: Pick<Order, 'account_number' | 'memo'>, amount: number): TestTransfer {
  const id = transferIds++
  return {
    id,
    amount,
    account: order.account_number,
    memo: `MBVCB.${id}.${order.memo}.CT tu 0011000000009 NGUYEN VAN A`,
    ref: `FT${id}`,
    bookedAt: new Date(),
    direction: 'in',
  }
}

/** Luong for a random character of the player's. */
export async function exchange(context: Context, actor: Actor, random: Random): Promise<void> {
  const amount = random.pick(EXCHANGED)
  const characterId = random.pick(actor.characterIds)
  const purchase = { character_id: characterId, amount }
  const answer = await post(context.client, actor, '/api/exchange/store', purchase)
  if (answer.status !== 200) return refused(context, actor.username, answer.body)
  context.confirmed.push({
    act: 'exchange',
    player: actor.username,
    amount,
    receive: actor.receiveOf.get(amount) as number,
    deliveryId: answer.body.delivery.id,
    characterId,
  })
}

/** The gift of the beginning, of which everybody has one. */
export async function takeGift(context: Context, actor: Actor, amount: number): Promise<void> {
  const purchase = { character_id: actor.characterIds[0], package_id: amount }
  const answer = await post(context.client, actor, '/api/user/buy-package', purchase)
  if (answer.status !== 200) return refused(context, actor.username, answer.body)
  const deliveryId = answer.body.delivery.id as string
  context.confirmed.push({ act: 'gift', player: actor.username, amount, deliveryId })
}

/** A claim about a transfer without a notification of the bank, with a picture of the receipt. */
export async function sendClaim(context: Context, actor: Actor): Promise<void> {
  const { client, confirmed } = context
  const picture = await aReceipt().jpeg().toBuffer()
  const paidAt = anHourAgo()
  const { body, headers } = formOf([
    ...partsOf({ amount: '50000', paid_at: paidAt }),
    { name: 'picture', value: picture, filename: 'bien-lai.jpg', type: 'image/jpeg' },
  ])
  const answer = await client.untilDefinite({
    path: '/api/recharge/claims',
    from: actor.address,
    token: actor.token,
    key: randomUUID(),
    body,
    headers,
  })
  if (answer.status !== 201) throw new Error(`the claim was refused: ${JSON.stringify(answer)}`)
  confirmed.push({ act: 'claim', player: actor.username })
}

async function transfer(context: Context, actor: Actor, payee: Actor, amount: number): Promise<void> {
  const purchase = { payee: payee.username, amount }
  const answer = await post(context.client, actor, '/api/user/transfer', purchase)
  if (answer.status !== 200) return refused(context, actor.username, answer.body)
  context.confirmed.push({ act: 'transfer', player: actor.username, payee: payee.username, amount })
}

function refused(context: Context, player: string, body: { code?: string }): void {
  const code = body.code ?? 'none'
  if (!REFUSALS_EXPECTED.has(code)) throw new Error(`an unexpected refusal: ${JSON.stringify(body)}`)
  context.confirmed.push({ act: 'refusal', player, code })
}
