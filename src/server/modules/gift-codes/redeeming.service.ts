import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import { type Good, goodsInWords } from '#contract/deliveries.ts'
import { errorCatalogue } from '#contract/errors.ts'
import { formatNumber } from '#contract/format.ts'
import type { redeemGiftCode } from '#contract/rewards/gift-codes.ts'
import { knownCharacter } from '#server/modules/game-bridge/index.ts'
import { addGiven } from '#server/modules/audit/index.ts'
import { giveReward } from '#server/modules/purchases/index.ts'
import { assertMayTrade, lockTrader, type Trader, walletAfter } from '#server/modules/traders/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { onceForPlayer } from '#server/platform/idempotency/idempotency.ts'
import { overLimitOf, sharedLimit } from '#server/platform/limits/limits.ts'
import { invalidField, invariant, Refusal } from '#server/platform/values/errors.ts'
import { giftCodeFault, giftCodesTyped } from './gift-code.rules.ts'
import {
  findGift,
  findOwnUses,
  insertUse,
  lockCode,
  type LockedCode,
  usesOfPerson,
} from './redeeming.queries.ts'

// Locks go wallet, batch and code, then the rows of the ledger. Whoever is given something by a batch takes turns there, and
// constraints hold the limits of code, batch and player.

/** More than the codes that anybody collects; refused calls count, so that nobody tries codes. */
const REDEMPTIONS_PER_PLAYER = sharedLimit('gift-codes', 30, 600)

/** Codes that do not exist, by all accounts of an address. */
const WRONG_CODES_PER_ADDRESS = sharedLimit('gift-codes-address', 60, 600)

/** The purpose of the keyed hash that codes are known by. */
export const HASH_PURPOSE = 'gift code'

type Redemption = {
  userId: string
  address: string
  body: BodyOf<typeof redeemGiftCode>
  key: string | null
  overLimit: Refusal | null
  requestId: string
}

type Answer = AnswerOf<typeof redeemGiftCode>
type Gift = NonNullable<Awaited<ReturnType<typeof findGift>>>

/** `named`: the goods as players read them; the game is sent no names. */
type NamedGift = Gift & { named: readonly Good[] }

/** A refusal of the code, shown beside its field. */
function codeRefused(code: 'CODE_INVALID' | 'CODE_USED' | 'CODE_ENDED', exact?: string): Refusal {
  const message = exact ?? errorCatalogue[code].message
  return new Refusal(code, { message, errors: { code: [message] } })
}

/** Gives the player what a code gives, within the limits of code, batch and player. */
export async function redeem(deps: PlatformDeps, redemption: Redemption): Promise<Answer> {
  const prepare = async () => {
    const gift = await findGiftOf(deps, redemption)
    const names = await readGameNames(deps.db)
    return async (tx: Tx) => {
      const { answer, useId } = await redeemWithin(deps, tx, {
        gift: { ...gift, named: names.withItemNames(gift.goods) },
        redemption,
      })
      return { answer, resultType: 'gift_code_use', resultId: useId }
    }
  }
  const operation = { ...redemption, scope: 'gift-code', limit: REDEMPTIONS_PER_PLAYER }
  return onceForPlayer<Answer>(deps, operation, { prepare })
}

/** Counts every call for its address first, so that several at once are no way around the limit, and gives back the right ones. */
async function findGiftOf(
  { db, vault, limits }: PlatformDeps,
  { userId, address, body }: Redemption,
): Promise<Gift> {
  const refusal = await overLimitOf(limits, WRONG_CODES_PER_ADDRESS, address)
  if (refusal !== null) throw refusal
  const codes = giftCodesTyped(body.code)
  const hashes = await Promise.all(codes.map((code) => vault.hash(HASH_PURPOSE, code)))
  const gift = hashes.length === 0 ? undefined : await findGift(db, { hashes, userId })
  if (gift === undefined) throw codeRefused('CODE_INVALID', giftCodeFault(body.code) ?? undefined)
  await limits.giveBack(WRONG_CODES_PER_ADDRESS, address)
  // Who comes too late waits for nobody's lock.
  if (gift.isGone) throw codeRefused('CODE_USED')
  return gift
}

type Redeeming = { gift: NamedGift; redemption: Redemption }

async function redeemWithin(
  { clock }: PlatformDeps,
  tx: Tx,
  { gift, redemption: { userId, body, requestId } }: Redeeming,
): Promise<{ answer: Answer; useId: string }> {
  const { character, ...player } = await lockTrader(tx, userId, {
    character: knownCharacter(userId, body.character_id ?? ''),
  })
  assertMayTrade(player, clock.now())
  if (body.character_id && !character) throw new Refusal('CHARACTER_NOT_FOUND')
  const code = await lockCode(tx, gift.codeId)
  const own = { batchId: code.batchId, codeId: gift.codeId, userId }
  const { count, refusedId } = await findOwnUses(tx, own)
  // What the game refused was used already: it is given again, also after the end.
  if (refusedId === null) assertUsable(code, count)
  assertServer(code, character?.serverId ?? player.serverId)
  const receiver = gift.goods.length > 0 ? (character ?? noCharacter()) : null
  const useId = refusedId ?? (await insertUse(tx, { ...own, number: count + 1, perPlayer: code.perPlayer }))
  const given = { batchId: code.batchId, title: code.title, useId, requestId }
  const answer =
    receiver === null
      ? await giveCoins(tx, { player, coins: gift.coins, ...given })
      : await giveGoods(tx, { player, character: receiver, gift, ...given })
  return { answer, useId }
}

function noCharacter(): never {
  throw invalidField('character_id', 'Vui lòng chọn nhân vật nhận quà')
}

/** Throws the refusal of a code that gives nothing more, at all or to this player. */
function assertUsable({ state, isEarly, isOver, isUsedUp, perPlayer }: LockedCode, count: number): void {
  // Nobody was told of it yet.
  if (state === 'planned') throw codeRefused('CODE_INVALID')
  if (state === 'stopped' || isOver) throw codeRefused('CODE_ENDED')
  if (isEarly) throw codeRefused('CODE_INVALID', 'Mã quà này chưa đến giờ dùng, vui lòng quay lại sau')
  if (count >= perPlayer)
    throw codeRefused(
      'CODE_USED',
      perPlayer === 1
        ? 'Bạn đã nhận quà của đợt mã này rồi'
        : `Bạn đã nhận đủ ${formatNumber(perPlayer)} lượt của đợt mã này`,
    )
  if (isUsedUp) throw codeRefused('CODE_USED')
}

function assertServer({ serverId, serverName }: LockedCode, own: string): void {
  if (serverId !== null && serverId !== own)
    throw codeRefused('CODE_INVALID', `Mã quà này chỉ dành cho máy chủ ${serverName ?? serverId}`)
}

type Given = { player: Trader; batchId: string; title: string; useId: string; requestId: string }

async function giveCoins(
  tx: Tx,
  { player, coins, title, useId, requestId }: Given & { coins: number },
): Promise<Answer> {
  const { creditBalance } = await postTransfer(tx, {
    kind: 'gift_code',
    debit: HOUSE.promotionHold,
    credit: player.walletId,
    amount: coins,
    source: { type: 'gift_code_use', id: useId },
    actorUserId: player.id,
    requestId,
  })
  return {
    message: `Bạn đã nhận ${formatNumber(coins)} TCoin từ mã quà “${title}”`,
    report: true,
    granted: { coins, goods: [] },
    ...walletAfter(player, creditBalance),
  }
}

type Goods = Given & { character: { id: string; name: string; serverId: string }; gift: NamedGift }

async function giveGoods(
  tx: Tx,
  { player, character, gift: { goods, named }, batchId, title, useId }: Goods,
): Promise<Answer> {
  const id = await giveReward(tx, {
    player,
    character,
    goods,
    givenFor: `gift_code:${useId}`,
    count: (amount) => addGiven(tx, { kind: 'gift-codes', subject: batchId, amount }),
  })
  invariant(id, 'a use is new, or the game refused its goods')
  return {
    message:
      `Bạn đã nhận ${goodsInWords(named)} cho nhân vật ${character.name} từ mã quà “${title}”. ` +
      'Quà đang được chuyển vào game, vui lòng chờ trong giây lát',
    report: true,
    granted: { coins: 0, goods: [...named] },
    ...walletAfter(player, player.balance),
    delivery: { id, status: 'pending' },
  }
}

/** Uses hold ids, as the ledger does: they stay, and name nobody once the account is erased. */
export const personalGiftCodes: PersonalPart = {
  lists: { gift_codes: usesOfPerson },
  erase: eraseNothing,
}
