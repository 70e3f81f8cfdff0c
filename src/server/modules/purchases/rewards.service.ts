import { randomUUID } from 'node:crypto'
import { type Good, goodsInWords } from '#contract/deliveries.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { checkIn } from '#contract/rewards/check-in.ts'
import { knownCharacter } from '#server/modules/game-bridge/index.ts'
import type { GoodsAmount } from '#server/modules/audit/index.ts'
import { assertMayTrade, lockTrader, type Trader, TRADES_PER_PLAYER } from '#server/modules/traders/index.ts'
import { amountOf, assertTaken, codesOf, findCatalogue } from '#server/domain/goods-catalogue.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import { notify } from '#server/domain/notices.ts'
import { afterCommit, type Tx } from '#server/platform/db/transaction.ts'
import { onceForPlayer } from '#server/platform/idempotency/idempotency.ts'
import { invariant, Refusal } from '#server/platform/values/errors.ts'
import { type PurchaseDeps, type PurchaseRequest, withKnownCharacters } from './purchase.service.ts'
import { insertReward } from './rewards.queries.ts'

type Reward = {
  player: Pick<Trader, 'id' | 'username'>
  character: { id: string; name: string; serverId: string }
  goods: readonly Good[]
  /** What for, as `milestone:<program>:<step>`: a player has each once, unless the game refused it. */
  givenFor: string
  /** Counts what is given, of what was promised; may refuse it. */
  count: CountGiven
}

export type CountGiven = (amount: GoodsAmount) => Promise<void>

/**
 * Gives a player goods that cost nothing, in the caller's transaction; throws GOODS_UNAVAILABLE where the game would not take them; the worker delivers them as it does purchases.
 * Answers the delivery's id, or null where the player has the reward already: of several at the same moment one is given.
 */
export async function giveReward(
  tx: Tx,
  { player, character, goods, givenFor, count }: Reward,
): Promise<string | null> {
  invariant(goods.length > 0, 'a reward has goods')
  const id = randomUUID()
  const isGiven = await insertReward(tx, {
    id,
    user_id: player.id,
    given_for: givenFor,
    server_id: character.serverId,
    account: player.username.toLowerCase(),
    character_id: character.id,
    character_name: character.name,
    goods: JSON.stringify(goods),
  })
  if (!isGiven) return null
  // Last, so that many claims of one reward that is given already take no longer for it.
  const catalogue = await findCatalogue(tx, codesOf(goods))
  assertTaken(catalogue, goods)
  await count(amountOf(catalogue, [{ goods, times: 1 }]))
  // Only a hint: the workers look by themselves every second.
  notify(tx, 'delivery_due')
  return id
}

/** What a player is due, as it was found once their wallet was locked. */
type Due = {
  goods: readonly Good[]
  givenFor: string
  /** The refusal of one who has it already. */
  taken: () => Refusal
  count: CountGiven
  /** Writes whose reward it is beside it. */
  record: (deliveryId: string) => Promise<void>
}

type RewardRequest = PurchaseRequest<{ character_id: string }> & {
  /** What its idempotency keys are for. */
  scope: string
}

/**
 * A player takes a reward for one of their characters. Their wallet is locked first, as by whoever credits or takes back a
 * recharge, so that what they are due is the state before or after such a change, never between.
 */
export async function takeReward(
  deps: PurchaseDeps,
  request: RewardRequest,
  findDue: (tx: Tx) => Promise<Due>,
): Promise<AnswerOf<typeof checkIn>> {
  const { userId, body, requestId } = request
  const names = await readGameNames(deps.db)
  return withKnownCharacters(deps, userId, (isRepeated) =>
    onceForPlayer(deps, { ...request, limit: isRepeated ? null : TRADES_PER_PLAYER }, async (tx) => {
      const { character, ...player } = await lockTrader(tx, userId, {
        character: knownCharacter(userId, body.character_id),
      })
      assertMayTrade(player, deps.clock.now())
      const { goods, givenFor, taken, record, count } = await findDue(tx)
      if (!character) throw new Refusal('CHARACTER_NOT_FOUND')
      const id = await giveReward(tx, { player, character, goods, givenFor, count })
      if (id === null) throw taken()
      await record(id)
      afterCommit('report a reward', () =>
        deps.log.info(
          { event: 'reward.given', userId, givenFor, deliveryId: id, requestId },
          'a reward is given',
        ),
      )
      const message =
        `Bạn đã nhận ${goodsInWords(names.withItemNames(goods))} cho nhân vật ${character.name}. ` +
        'Quà đang được chuyển vào game, vui lòng chờ trong giây lát'
      const delivery = { id, status: 'pending' } as const
      return { answer: { message, report: true, delivery }, resultType: 'delivery', resultId: id }
    }),
  )
}
