import { sql } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** Delivered to somebody who is not erased, and not given again. */
const isGivable = sql<boolean>`state = 'delivered' AND account <> 'da-xoa'
  AND NOT EXISTS (SELECT FROM delivery later WHERE later.replaces = delivery.id AND later.state <> 'refunded')`

type Wished = {
  comparison: string
  /** Null: the first by time. */
  ids: readonly string[] | null
  serverId: string | null
  limit: number
}

/** What of a comparison can be given again, in the order of purchase. */
export async function selectGivable(tx: Tx, { comparison, ids, serverId, limit }: Wished): Promise<string[]> {
  const wished = allOf([
    sql`m.comparison_id = ${comparison}::bigint`,
    ids === null ? null : sql`m.delivery_id = ANY (${ids}::uuid[])`,
    serverId === null ? null : sql`m.server_id = ${serverId}`,
  ])
  const { rows } = await sql<{ id: string }>`
    SELECT delivery.id FROM missing_delivery m JOIN delivery ON delivery.id = m.delivery_id
     WHERE ${wished} AND ${isGivable}
     ORDER BY m.bought_at, m.delivery_id LIMIT ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function insertBatch(tx: Tx, ids: readonly string[]): Promise<string> {
  const { id } = await tx
    .insertInto('give_again_batch')
    .values({ delivery_ids: [...ids] })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Locks the deliveries of a batch, in an order. False when one of them cannot be given again any more: of two acts at once
 * the later one waits here, and then finds that.
 */
export async function lockGivable(tx: Tx, batch: string): Promise<boolean> {
  await sql`
    SELECT FROM delivery
     WHERE id IN (SELECT unnest(delivery_ids) FROM give_again_batch WHERE id = ${batch}::bigint)
     ORDER BY id FOR UPDATE`.execute(tx)
  return (await selectGivableBatches(tx, [batch])).has(batch)
}

/** Those batches of which each delivery can still be given again. */
export async function selectGivableBatches(db: Db | Tx, batches: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM give_again_batch batch
     WHERE id = ANY (${batches}::bigint[])
       AND cardinality(delivery_ids) = (
         SELECT count(*) FROM delivery WHERE delivery.id = ANY (batch.delivery_ids) AND ${isGivable})`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** A new delivery for each one of the batch, in the order of purchase: the same goods for no TCoin. Returns how many. */
export async function insertGivenAgain(tx: Tx, batch: string): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, replaces)
    SELECT gen_random_uuid(), 'again', user_id, 0, server_id, account, character_id, character_name, goods, id
      FROM (SELECT * FROM delivery
             WHERE id IN (SELECT unnest(delivery_ids) FROM give_again_batch WHERE id = ${batch}::bigint)
             ORDER BY created_at, id) lost`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** How many deliveries a batch has. */
export async function countBatch(db: Db | Tx, batch: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT cardinality(delivery_ids) AS count FROM give_again_batch WHERE id = ${batch}::bigint`.execute(db)
  return rows[0]?.count ?? 0
}

type BatchGoods = { deliveries: number; players: number; goods: { goods: Good[]; times: number }[] }

/** What batches would give, the same goods once with how often they are given. */
export async function selectBatchGoods(
  db: Db | Tx,
  batches: readonly string[],
): Promise<Map<string, BatchGoods>> {
  const { rows } = await sql<BatchGoods & { id: string }>`
    SELECT batch.id, cardinality(batch.delivery_ids) AS deliveries, given.players, given.goods
      FROM give_again_batch batch CROSS JOIN LATERAL (
        SELECT (SELECT count(DISTINCT user_id)::integer FROM delivery
                 WHERE id = ANY (batch.delivery_ids)) AS players,
               coalesce(json_agg(json_build_object('goods', goods, 'times', times)), '[]') AS goods
          FROM (SELECT goods, count(*) AS times FROM delivery
                 WHERE id = ANY (batch.delivery_ids) GROUP BY goods) same) given
     WHERE batch.id = ANY (${batches}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
