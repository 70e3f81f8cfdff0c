import type * as z from 'zod/mini'
import type { boughtAnswer } from '#contract/deliveries.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { getExchange } from '#contract/exchange.ts'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import {
  areCharactersKnown,
  type CharacterList,
  type CharactersDeps,
  knownCharacter,
  listKnownCharacters,
} from '#server/modules/game-bridge/index.ts'
import { readSettings, settingsOf, storedTexts } from '#server/modules/settings/index.ts'
import { assertMayTrade, findTrader, lockTrader, TRADES_PER_PLAYER } from '#server/modules/traders/index.ts'
import { coinsMissing } from '#server/modules/wallet/index.ts'
import { assertTaken, catalogueOf } from '#server/domain/goods-catalogue.ts'
import { type GameNames, readGameNames } from '#server/domain/game-names.ts'
import { afterCommit, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { onceForPlayer } from '#server/platform/idempotency/idempotency.ts'
import { holdForDelivery } from './deliveries.service.ts'
import { amountsOnOffer } from './exchange.rules.ts'
import { type ExchangeBody, exchangeOffer, type Offer } from './offers.ts'

export type PurchaseDeps = PlatformDeps & Pick<CharactersDeps, 'game'>

type Bought = z.output<typeof boughtAnswer>

export type PurchaseRequest<Body> = {
  userId: string
  key: string | null
  body: Body
  overLimit: Refusal | null
  requestId: string
}

/**
 * Buys something for a character: coins into the hold, the offer's own row, and the delivery that the worker will make,
 * all in one transaction. The wallet's lock makes an account's purchases take turns.
 */
export async function purchase<Body extends { character_id: string }>(
  deps: PurchaseDeps,
  offer: Offer<Body>,
  request: PurchaseRequest<Body>,
): Promise<Bought> {
  return withKnownCharacters(deps, request.userId, (isRepeated) =>
    purchaseOnce(deps, offer, { request, isRepeated }),
  )
}

/** Does it once more where the player's characters were never fetched: the call is counted already. */
export async function withKnownCharacters<Answer>(
  deps: PurchaseDeps,
  userId: string,
  act: (isRepeated: boolean) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await act(false)
  } catch (error) {
    const isMissing = error instanceof Refusal && error.code === 'CHARACTER_NOT_FOUND'
    if (!isMissing || (await areCharactersKnown(deps, userId))) throw error
    // They are now, with nothing locked.
    await listCharactersOf(deps, userId)
    return act(true)
  }
}

async function purchaseOnce<Body extends { character_id: string }>(
  deps: PurchaseDeps,
  offer: Offer<Body>,
  { request, isRepeated }: { request: PurchaseRequest<Body>; isRepeated: boolean },
): Promise<Bought> {
  const limit = isRepeated ? null : TRADES_PER_PLAYER
  return onceForPlayer<Bought>(deps, { ...request, scope: offer.keyScope, limit }, async (tx) => {
    const { answer, deliveryId } = await buy(deps, tx, { offer, request })
    return { answer, resultType: 'delivery', resultId: deliveryId }
  })
}

type Purchase<Body> = {
  offer: Offer<Body>
  request: Pick<PurchaseRequest<Body>, 'userId' | 'body' | 'requestId'>
}

/**
 * The exchange in the caller's transaction, which makes sure that it happens once: the same checks and the same delivery.
 * Answers the delivery's id.
 */
export async function exchangeWithin(
  deps: PurchaseDeps,
  tx: Tx,
  request: Purchase<ExchangeBody>['request'],
): Promise<string> {
  return (await buy(deps, tx, { offer: exchangeOffer, request })).deliveryId
}

async function buy<Body extends { character_id: string }>(
  { clock, log }: PurchaseDeps,
  tx: Tx,
  { offer, request: { userId, body, requestId } }: Purchase<Body>,
): Promise<{ answer: Bought; deliveryId: string }> {
  const { texts, catalogue, character, ...trader } = await lockTrader(tx, userId, {
    texts: storedTexts,
    catalogue: catalogueOf(ITEMS),
    character: knownCharacter(userId, body.character_id),
  })
  assertMayTrade(trader, clock.now())
  const buyer = { userId, settings: settingsOf(texts) }
  const { amount, goods, record, words } = await offer.price(tx, buyer, body)
  if (!character) throw new Refusal('CHARACTER_NOT_FOUND')
  if (trader.balance < amount) throw coinsMissing(amount - trader.balance)
  assertTaken(catalogue, goods)
  const { deliveryId, movement, ...wallet } = await holdForDelivery(tx, {
    kind: offer.kind,
    trader,
    amount,
    character,
    goods,
    record,
    requestId,
  })
  afterCommit('report a purchase', () =>
    log.info({ ...movement(), kind: offer.kind, requestId }, 'a purchase is held'),
  )
  const message =
    `Bạn đã ${words.bought} cho nhân vật ${character.name}. ` +
    `${words.arriving} đang được chuyển vào game, vui lòng chờ trong giây lát`
  const delivery = { id: deliveryId, status: 'pending' } as const
  return { answer: { message, report: true, ...wallet, delivery }, deliveryId }
}

/** Has the player's characters fetched if they never were. */
export async function fetchUnknownCharacters(deps: PurchaseDeps, userId: string): Promise<void> {
  if (!(await areCharactersKnown(deps, userId))) await listCharactersOf(deps, userId)
}

/** The player's characters as the portal knows them; those of a player never fetched come from the game. */
async function listCharactersOf(deps: PurchaseDeps, userId: string): Promise<CharacterList> {
  const trader = await findTrader(deps.db, userId)
  return trader ? listKnownCharacters(deps, trader) : { characters: [], fetchedAt: null }
}

/** The codes of what packages contain besides luong and yen. */
const ITEMS = [...new Set(GIFT_PACKAGES.flatMap(({ items }) => items.flatMap(({ good }) => good.code ?? [])))]

const itemNames = (names: GameNames): Record<string, string> =>
  Object.fromEntries(
    ITEMS.flatMap((code) => {
      const name = names.itemName(code)
      return name === null ? [] : [[code, name]]
    }),
  )

/** What is on offer, and for whom; a visitor sees the amounts only. */
export async function readExchange(
  deps: PurchaseDeps,
  userId: string | null,
): Promise<AnswerOf<typeof getExchange>> {
  const settings = await readSettings(deps.db)
  const names = await readGameNames(deps.db)
  const { characters, fetchedAt } =
    userId === null ? { characters: [], fetchedAt: null } : await listCharactersOf(deps, userId)
  return {
    amounts: amountsOnOffer(settings),
    characters: characters.map(({ id, name, head, classId, level }) => ({
      id,
      name,
      info: {
        head,
        headName: names.headName(head),
        classId,
        className: names.classOf(classId)?.name ?? null,
        level,
      },
    })),
    bonus: settings.exchangeBonusPercent,
    characters_at: fetchedAt?.toISOString() ?? null,
    item_names: itemNames(names),
  }
}
