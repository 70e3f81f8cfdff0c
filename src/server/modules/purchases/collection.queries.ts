import { sql } from 'kysely'
import type { Good, WaitingReason } from '#contract/deliveries.ts'
import { tellsCollection, type Collection } from '#server/modules/game-bridge/index.ts'
import { notify } from '#server/domain/notices.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import { ASK_DELAY_SECONDS_MAX } from './collection.rules.ts'
import type { DuePart } from '#server/platform/queues/claiming.ts'

/**
 * From here on the game is asked about a delivery that is being settled, unless it is known to tell nothing. Goes with the
 * next statement.
 */
export async function followWithNext(tx: Tx, deliveryId: string): Promise<void> {
  const row = tx
    .insertInto('delivery_collection')
    .columns(['delivery_id', 'bought_at'])
    .expression((db) =>
      db
        .selectFrom('delivery')
        .select(['id', 'created_at'])
        .where('id', '=', deliveryId)
        .where(sql<boolean>`${tellsCollection} IS NOT FALSE`),
    )
  await sendWithNext(tx, row.compile())
}

/** Whether `followWithNext` writes nothing, since the game is known to tell nothing. */
export const isNotFollowed = sql<boolean>`${tellsCollection} IS FALSE`

export type Followed = {
  id: string
  userId: string
  characterName: string
  goods: Good[]
  asks: number
  waiting: WaitingReason | null
  ageSeconds: number
}

/** Deliveries about which the game is due to be asked. */
export const dueUncollected = ({ limit, isWanted }: DuePart) => sql<{ id: string }>`
  SELECT delivery_id, delivery_id AS id FROM delivery_collection
   WHERE ${isDue(sql`next_ask_at`, ASK_DELAY_SECONDS_MAX)} AND ${isWanted(sql`delivery_collection.delivery_id`)}
   ORDER BY next_ask_at LIMIT ${limit}`

/**
 * Takes those that are due, skipping what another worker is just taking. What is not answered, since the process died, is due
 * again after the lease.
 */
export async function claimUncollected(db: Db, part: DuePart, leaseSeconds: number): Promise<Followed[]> {
  const { rows } = await sql<Followed>`
    WITH due AS (${dueUncollected(part)} FOR UPDATE SKIP LOCKED)
    UPDATE delivery_collection c
       SET asks = asks + 1, next_ask_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM due JOIN delivery d ON d.id = due.delivery_id
     WHERE c.delivery_id = due.delivery_id
    RETURNING d.id, d.user_id AS "userId", d.character_name AS "characterName", d.goods, c.asks, c.waiting,
      extract(epoch FROM now() - d.settled_at)::float8 AS "ageSeconds"`.execute(db)
  return rows
}

type Answer = Pick<Followed, 'id'> & { delaySeconds: number }

/**
 * What the game answered. Final once the goods are collected: of two workers that asked, the later one changes nothing.
 * Answers whether the player has something new to see.
 */
export async function storeCollection(
  tx: Tx,
  { id, userId, waiting: before, delaySeconds }: Answer & Pick<Followed, 'userId' | 'waiting'>,
  { collectedAt, waiting }: Collection,
): Promise<boolean> {
  const isThere = collectedAt !== null
  const row = await tx
    .updateTable('delivery_collection')
    .set({
      collected_at: collectedAt,
      waiting: isThere ? null : waiting,
      next_ask_at: isThere ? null : sql<Date>`clock_timestamp() + make_interval(secs => ${delaySeconds})`,
    })
    .where('delivery_id', '=', id)
    .where('collected_at', 'is', null)
    .executeTakeFirst()
  const isNew = row.numUpdatedRows === 1n && (isThere || waiting !== before)
  if (isNew) notify(tx, 'delivery_changed', userId)
  return isNew
}

/** Without an answer. */
export async function postponeQuestion(db: Db, { id, delaySeconds }: Answer): Promise<void> {
  await db
    .updateTable('delivery_collection')
    .set({ next_ask_at: sql<Date>`clock_timestamp() + make_interval(secs => ${delaySeconds})` })
    .where('delivery_id', '=', id)
    .where('collected_at', 'is', null)
    .execute()
}

/** The game does not tell: the delivery is as good as there. False when another worker has noted it. */
export async function unfollow(tx: Tx, { id, userId }: Pick<Followed, 'id' | 'userId'>): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('delivery_collection')
    .where('collected_at', 'is', null)
    .where('delivery_id', '=', id)
    .executeTakeFirst()
  notify(tx, 'delivery_changed', userId)
  return numDeletedRows === 1n
}
