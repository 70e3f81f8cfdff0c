import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { askDelaySeconds } from './collection.rules.ts'
import {
  claimUncollected,
  postponeQuestion,
  storeCollection,
  unfollow,
  type Followed,
} from './collection.queries.ts'

type FollowDeps = Pick<PlatformDeps, 'db' | 'log'> & { game: GameBridge }

/** Longer than one question may take (10 s). */
const LEASE_SECONDS = 30
/** As many are asked about at once. */
const BATCH = 8

/** Asks the game about deliveries that it has applied, once each; true when more may be due. */
export async function followCollections(deps: FollowDeps): Promise<boolean> {
  const due = await claimUncollected(deps.db, { limit: BATCH, leaseSeconds: LEASE_SECONDS })
  await Promise.all(due.map((followed) => askAbout(deps, followed)))
  return due.length === BATCH
}

/** Outside any transaction; a question without an answer is asked again later. */
async function askAbout({ db, log, game }: FollowDeps, followed: Followed): Promise<void> {
  const { id, userId, waiting, ageSeconds } = followed
  const delaySeconds = askDelaySeconds(followed.asks)
  try {
    const told = (await game.collection?.(id)) ?? null
    if (told === null) return await inTransaction(db, (tx) => unfollow(tx, followed))
    await inTransaction(db, (tx) => storeCollection(tx, { ...followed, delaySeconds }, told))
    const facts = { deliveryId: id, userId }
    if (told.collectedAt !== null) {
      const seconds = Math.round(ageSeconds)
      log.info({ event: 'delivery.collected', ...facts, seconds }, 'goods are with their character')
    } else if (told.waiting !== null && told.waiting !== waiting) {
      log.info({ event: 'delivery.waits', ...facts, waiting: told.waiting }, 'goods wait in the game')
    }
  } catch (error) {
    log.warn({ err: error, deliveryId: id }, 'the game did not say whether goods were collected')
    await postponeQuestion(db, { id, delaySeconds })
  }
}

const PAUSE_MS = 1_000

/** Nothing to follow where goods are with their character as soon as they are applied. */
export function startCollectionFollower(deps: FollowDeps): Loop[] {
  if (!deps.game.collection) return []
  const round = () => followCollections(deps)
  return startLoops(deps.log, [{ name: 'collected goods', pauseMs: PAUSE_MS, round }])
}
