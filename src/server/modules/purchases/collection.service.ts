import type { RawBuilder } from 'kysely'
import { GAME_TIMEOUT_MS, type Collection, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { leaseSecondsFor } from '#server/platform/queues/leases.ts'
import { askDelaySeconds } from './collection.rules.ts'
import {
  claimUncollected,
  dueUncollected,
  postponeQuestion,
  storeCollection,
  unfollow,
  type Followed,
} from './collection.queries.ts'
import { claimEach, type DuePart } from '#server/platform/queues/claiming.ts'
import { tryLeased } from '#server/platform/queues/failed-work.ts'

type FollowDeps = Pick<PlatformDeps, 'db' | 'log'> & { game: GameBridge }

/** All of a batch are asked at once. */
const LEASE_SECONDS = leaseSecondsFor({ calls: 1, timeoutMs: GAME_TIMEOUT_MS })
/** As many are asked about at once. */
const BATCH = 8

type NoticedDelivery = Pick<Followed, 'id' | 'userId' | 'characterName' | 'goods'>

export const goodsOf = ({ id, characterName, goods }: NoticedDelivery) => ({
  deliveryId: id,
  character: characterName,
  goods,
})

/** The goods are with their character. Goes with the next statement. */
export async function notifyArrival(
  tx: Tx,
  delivery: NoticedDelivery,
  isWanted?: RawBuilder<boolean>,
): Promise<void> {
  const data = goodsOf(delivery)
  await addNotice(tx, delivery.userId, { event: 'goods-arrived', subject: delivery.id, data }, isWanted)
}

/** The player is told of each reason once, however often it comes back. */
async function noteAnswer(
  tx: Tx,
  followed: Followed,
  { collection, delaySeconds }: { collection: Collection; delaySeconds: number },
): Promise<void> {
  if (!(await storeCollection(tx, { ...followed, delaySeconds }, collection))) return
  if (collection.collectedAt !== null) return notifyArrival(tx, followed)
  if (collection.waiting === null) return
  await addNotice(tx, followed.userId, {
    event: 'goods-waiting',
    subject: `${followed.id} ${collection.waiting}`,
    data: { ...goodsOf(followed), reason: collection.waiting },
  })
}

async function noteSilence(tx: Tx, followed: Followed): Promise<void> {
  if (await unfollow(tx, followed)) await notifyArrival(tx, followed)
}

/** Asks the game about deliveries that it has applied, once each; true when more may be due. */
export async function followCollections(deps: FollowDeps): Promise<boolean> {
  const leased = { job: 'collected goods', leaseSeconds: LEASE_SECONDS }
  const claim = (part: DuePart) => claimUncollected(deps.db, part, LEASE_SECONDS)
  const due = await claimEach(deps, { ...leased, due: dueUncollected, claim }, BATCH)
  await Promise.all(
    due.map((followed) =>
      tryLeased(deps, { ...leased, subject: followed.id }, () => askAbout(deps, followed)),
    ),
  )
  return due.length === BATCH
}

/** Outside any transaction; a question without an answer is asked again later. */
async function askAbout({ db, log, game }: FollowDeps, followed: Followed): Promise<void> {
  const { id, userId, waiting, ageSeconds } = followed
  const delaySeconds = askDelaySeconds(followed.asks)
  let collection
  try {
    collection = (await game.collection?.(id)) ?? null
  } catch (error) {
    log.warn({ err: error, deliveryId: id }, 'the game did not say whether goods were collected')
    return postponeQuestion(db, { id, delaySeconds })
  }
  const answer = collection
  if (answer === null) return inTransaction(db, (tx) => noteSilence(tx, followed))
  await inTransaction(db, (tx) => noteAnswer(tx, followed, { collection: answer, delaySeconds }))
  const facts = { deliveryId: id, userId }
  if (answer.collectedAt !== null) {
    const seconds = Math.round(ageSeconds)
    log.info({ event: 'delivery.collected', ...facts, seconds }, 'goods are with their character')
  } else if (answer.waiting !== null && answer.waiting !== waiting) {
    log.info({ event: 'delivery.waits', ...facts, waiting: answer.waiting }, 'goods wait in the game')
  }
}

const PAUSE_MS = 1_000

/** Nothing to follow where goods are with their character as soon as they are applied. */
export function startCollectionFollower(deps: FollowDeps): Loop[] {
  if (!deps.game.collection) return []
  const round = () => followCollections(deps)
  return startLoops(deps.log, [{ name: 'collected goods', pauseMs: PAUSE_MS, round }])
}
