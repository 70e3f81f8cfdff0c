import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import { findGiftPackage } from '#contract/gift-packages.ts'
import type { buyPackage } from '#contract/gifts.ts'
import { formatNumber } from '#contract/money.ts'
import { assertMayTrade, findTrader, lockTrader, TRADES_PER_PLAYER } from '#server/modules/traders/index.ts'
import { holdForDelivery } from './deliveries.service.ts'
import {
  areCharactersKnown,
  findKnownCharacter,
  listKnownCharacters,
  type CharactersDeps,
} from '#server/modules/game-bridge/index.ts'
import { coinsMissing } from '#server/modules/wallet/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Refusal } from '#server/platform/http/refusal.ts'
import { once } from '#server/platform/idempotency.ts'
import { invariant } from '#server/platform/invariant.ts'
import { characterNotFound, giftAlreadyTaken } from './gifts.errors.ts'
import { hasGift, insertGift } from './gifts.queries.ts'

export type GiftsDeps = PlatformDeps & Pick<CharactersDeps, 'game'>

type Bought = AnswerOf<typeof buyPackage>

export type GiftRequest = {
  userId: string
  key: string | null
  body: BodyOf<typeof buyPackage>
  overLimit: Refusal | null
  requestId: string
}

/** Buys a starter package: coins into the hold, the gift that the account may have once, and its delivery. */
export async function buyGift(deps: GiftsDeps, request: GiftRequest): Promise<Bought> {
  const { userId, key, body, overLimit } = request
  // A player nobody ever fetched has no characters in our table yet; this asks the game before anything is locked.
  if (!(await areCharactersKnown(deps, userId))) await fetchCharacters(deps, userId)
  const operation = key === null ? null : { scope: `user:${userId}:buy-package`, key, body }
  const pace = { limits: deps.limits, limit: TRADES_PER_PLAYER, of: userId, overLimit }
  const work = async (tx: Tx) => {
    const bought = await buy(deps, tx, request)
    return { answer: bought, resultType: 'delivery', resultId: bought.delivery.id }
  }
  return once<Bought>(deps.db, operation, work, pace)
}

async function fetchCharacters(deps: GiftsDeps, userId: string): Promise<void> {
  const trader = await findTrader(deps.db, userId)
  if (trader) await listKnownCharacters(deps, trader)
}

/** The wallet's lock makes an account's purchases take turns, so that the second one sees the first one's gift. */
async function buy(deps: GiftsDeps, tx: Tx, { userId, body, requestId }: GiftRequest): Promise<Bought> {
  const chosen = findGiftPackage(body.package_id)
  invariant(chosen, 'the contract lets known packages in only')
  const trader = await lockTrader(tx, userId)
  assertMayTrade(trader, deps.clock.now())
  if (await hasGift(tx, userId)) throw giftAlreadyTaken()
  const character = await findKnownCharacter(tx, userId, body.character_id)
  if (!character) throw characterNotFound()
  if (trader.balance < chosen.amount) throw coinsMissing(chosen.amount - trader.balance)
  const { id, balance } = await holdForDelivery(tx, {
    kind: 'gift',
    trader,
    amount: chosen.amount,
    character,
    goods: chosen.items.map(({ good }) => good),
    requestId,
  })
  await insertGift(tx, { deliveryId: id, userId, packageId: chosen.id })
  const message =
    `Bạn đã mua gói quà tân thủ ${formatNumber(chosen.amount)} TCoin cho nhân vật ${character.name}. ` +
    'Quà đang được chuyển vào game, vui lòng chờ trong giây lát'
  return { message, report: true, balance, delivery: { id, status: 'pending' } }
}
