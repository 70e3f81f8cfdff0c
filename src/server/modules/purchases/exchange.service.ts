import type { getExchange, storeExchange } from '#contract/exchange.ts'
import { formatNumber } from '#contract/money.ts'
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import { assertMayTrade, findTrader, lockTrader, TRADES_PER_PLAYER } from '#server/modules/traders/index.ts'
import { holdForDelivery } from './deliveries.service.ts'
import {
  areCharactersKnown,
  findKnownCharacter,
  listKnownCharacters,
  type CharactersDeps,
  type KnownCharacter,
} from '#server/modules/game-bridge/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { coinsMissing } from '#server/modules/wallet/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Refusal } from '#server/platform/http/refusal.ts'
import { once } from '#server/platform/idempotency.ts'
import { amountNotOnOffer, characterNotFound } from './exchange.errors.ts'
import { insertExchangeOrder } from './exchange.queries.ts'
import { amountsOnOffer } from './exchange.rules.ts'

export type ExchangeDeps = PlatformDeps & Pick<CharactersDeps, 'game'>

type Offer = AnswerOf<typeof getExchange>
type Bought = AnswerOf<typeof storeExchange>

/** What is on offer, and for whom; a visitor sees the amounts only. */
export async function readExchange(deps: ExchangeDeps, userId: string | null): Promise<Offer> {
  const settings = await readSettings(deps.db)
  const { characters, fetchedAt } = await charactersOf(deps, userId)
  return {
    amounts: amountsOnOffer(settings),
    characters: characters.map(({ id, name, head, classId, level }) => ({
      id,
      name,
      info: { head, classId, level },
    })),
    bonus: settings.exchangeBonusPercent,
    characters_at: fetchedAt?.toISOString() ?? null,
  }
}

async function charactersOf(deps: ExchangeDeps, userId: string | null) {
  const trader = userId === null ? undefined : await findTrader(deps.db, userId)
  return trader ? listKnownCharacters(deps, trader) : { characters: [], fetchedAt: null }
}

export type ExchangeRequest = {
  userId: string
  key: string | null
  body: BodyOf<typeof storeExchange>
  overLimit: Refusal | null
  requestId: string
}

/** Buys luong: coins into the hold, the order with its terms, and the delivery that the worker will make. */
export async function buyLuong(deps: ExchangeDeps, request: ExchangeRequest): Promise<Bought> {
  const { userId, key, body, overLimit } = request
  // A player nobody ever fetched has no characters in our table yet; this asks the game before anything is locked.
  if (!(await areCharactersKnown(deps, userId))) await charactersOf(deps, userId)
  const operation = key === null ? null : { scope: `user:${userId}:exchange`, key, body }
  const pace = { limits: deps.limits, limit: TRADES_PER_PLAYER, of: userId, overLimit }
  const work = async (tx: Tx) => {
    const bought = await buy(deps, tx, request)
    return { answer: bought, resultType: 'delivery', resultId: bought.delivery.id }
  }
  return once<Bought>(deps.db, operation, work, pace)
}

async function buy(
  deps: ExchangeDeps,
  tx: Tx,
  { userId, body, requestId }: ExchangeRequest,
): Promise<Bought> {
  const trader = await lockTrader(tx, userId)
  assertMayTrade(trader, deps.clock.now())
  const settings = await readSettings(tx)
  const offer = amountsOnOffer(settings).find(({ amount }) => amount === body.amount)
  if (!offer) throw amountNotOnOffer()
  const character = await findKnownCharacter(tx, userId, body.character_id)
  if (!character) throw characterNotFound()
  if (trader.balance < offer.amount) throw coinsMissing(offer.amount - trader.balance)
  const { id, balance } = await holdForDelivery(tx, {
    kind: 'exchange',
    trader,
    amount: offer.amount,
    character,
    goods: [{ kind: 'luong', quantity: offer.receive }],
    requestId,
  })
  await insertExchangeOrder(tx, {
    deliveryId: id,
    userId,
    amount: offer.amount,
    rate: settings.exchangeRate,
    bonusPercent: settings.exchangeBonusPercent,
    receive: offer.receive,
  })
  return { message: onItsWay(offer, character), report: true, balance, delivery: { id, status: 'pending' } }
}

function onItsWay(
  { amount, receive }: { amount: number; receive: number },
  { name }: KnownCharacter,
): string {
  return (
    `Bạn đã đổi ${formatNumber(amount)} TCoin lấy ${formatNumber(receive)} lượng cho nhân vật ${name}. ` +
    'Lượng đang được chuyển vào game, vui lòng chờ trong giây lát'
  )
}
