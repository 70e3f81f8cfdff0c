import { sql } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { inPages } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** What the code gives that one of these is; undefined where there is none. `isGone`: used up by others. */
export async function findGift(
  db: Db,
  { hashes, userId }: { hashes: readonly Buffer[]; userId: string },
): Promise<{ codeId: string; coins: number; goods: readonly Good[]; isGone: boolean } | undefined> {
  const { rows } = await sql<{ codeId: string; coins: string | null; goods: Good[] | null; isGone: boolean }>`
    SELECT c.id AS "codeId", b.coins, b.goods, c.uses >= c.uses_max AND NOT EXISTS (
             SELECT FROM gift_code_use u
              WHERE u.batch_id = b.id AND u.user_id = ${userId}::bigint AND u.code_id = c.id) AS "isGone"
      FROM gift_code c JOIN gift_code_batch b ON b.id = c.batch_id
     WHERE c.hash = ANY(${[...hashes]}::bytea[]) LIMIT 1`.execute(db)
  const [row] = rows
  return row && { ...row, coins: parseCoins(row.coins ?? '0'), goods: row.goods ?? [] }
}

export type LockedCode = {
  batchId: string
  title: string
  state: 'planned' | 'running' | 'stopped'
  isEarly: boolean
  isOver: boolean
  isUsedUp: boolean
  perPlayer: number
  serverId: string | null
  serverName: string | null
}

/** Locks a code and its batch, so that whoever uses one of the batch takes turns; read once they are locked. */
export async function lockCode(tx: Tx, codeId: string): Promise<LockedCode> {
  const { rows } = await sql<LockedCode>`
    SELECT b.id AS "batchId", b.title, b.state, b.starts_at > clock_timestamp() AS "isEarly",
           b.ends_at <= clock_timestamp() AS "isOver", c.uses >= c.uses_max AS "isUsedUp", b.per_player AS "perPlayer",
           b.server_id AS "serverId", (SELECT name FROM servers WHERE id = b.server_id) AS "serverName"
      FROM gift_code c JOIN gift_code_batch b ON b.id = c.batch_id
     WHERE c.id = ${codeId}::bigint FOR NO KEY UPDATE OF b, c`.execute(tx)
  return rows[0] as LockedCode
}

type OwnUses = {
  /** How often the player was given something by the batch. */
  count: number
  /** A use of this code whose goods the game refused. */
  refusedId: string | null
}

/** What the player has of the batch, whose row is locked. */
export async function findOwnUses(
  tx: Tx,
  { batchId, codeId, userId }: { batchId: string; codeId: string; userId: string },
): Promise<OwnUses> {
  const { rows } = await sql<OwnUses>`
    SELECT count(*)::integer AS count,
           min(u.id) FILTER (WHERE u.code_id = ${codeId}::bigint AND b.goods IS NOT NULL AND NOT EXISTS (
             SELECT FROM reward r WHERE r.user_id = u.user_id AND r.given_for = 'gift_code:' || u.id
                AND r.voided_at IS NULL)) AS "refusedId"
      FROM gift_code_use u JOIN gift_code_batch b ON b.id = u.batch_id
     WHERE u.batch_id = ${batchId}::bigint AND u.user_id = ${userId}::bigint`.execute(tx)
  return rows[0] as OwnUses
}

type NewUse = { batchId: string; codeId: string; userId: string; number: number; perPlayer: number }

/** Writes a use, and counts it for its code and its batch. Answers its id. */
export async function insertUse(
  tx: Tx,
  { batchId, codeId, userId, number, perPlayer }: NewUse,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    WITH code AS (
      UPDATE gift_code SET uses = uses + 1 WHERE id = ${codeId}::bigint),
    batch AS (
      UPDATE gift_code_batch SET uses = uses + 1, held = held - coalesce(coins, 0) WHERE id = ${batchId}::bigint)
    INSERT INTO gift_code_use (batch_id, code_id, user_id, number, per_player)
      VALUES (${batchId}::bigint, ${codeId}::bigint, ${userId}::bigint, ${number}, ${perPlayer})
      RETURNING id`.execute(tx)
  return (rows[0] as { id: string }).id
}

export const usesOfPerson = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT u.id::text AS cursor, b.title, b.coins, b.goods, u.used_at
      FROM gift_code_use u JOIN gift_code_batch b ON b.id = u.batch_id
     WHERE u.user_id = ${id}::bigint AND u.id > coalesce(${after}::bigint, 0)
     ORDER BY u.id LIMIT ${limit}`,
)
