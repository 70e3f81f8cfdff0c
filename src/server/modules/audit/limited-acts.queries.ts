import { sql } from 'kysely'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export type LimitedAct = { action: string; operatorId: string; userId: string | null; coins: number }

/** Acts that one sum counts take turns from here on, until the transaction ends. */
export async function lockSum(tx: Tx, whose: 'operator' | 'player', id: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`limited acts of ${whose} ${id}`}, 0))`.execute(
    tx,
  )
}

/** TCoin of the last 24 hours. Only to be trusted under the locks of both sums. */
export async function sumOfDay(
  tx: Tx,
  { operatorId, userId }: Pick<LimitedAct, 'operatorId' | 'userId'>,
): Promise<{ ofOperator: number; ofPlayer: number }> {
  const since = sql`clock_timestamp() - interval '24 hours'`
  const { rows } = await sql<{ ofOperator: string; ofPlayer: string }>`
    SELECT (SELECT coalesce(sum(coins), 0) FROM limited_act
             WHERE operator_id = ${operatorId}::bigint AND at > ${since}) AS "ofOperator",
           (SELECT coalesce(sum(coins), 0) FROM limited_act
             WHERE user_id = ${userId}::bigint AND at > ${since}) AS "ofPlayer"`.execute(tx)
  return {
    ofOperator: parseCoins(rows[0]?.ofOperator ?? '0'),
    ofPlayer: parseCoins(rows[0]?.ofPlayer ?? '0'),
  }
}

export async function insertLimitedAct(
  tx: Tx,
  { action, operatorId, userId, coins }: LimitedAct,
): Promise<void> {
  await tx
    .insertInto('limited_act')
    .values({ action, operator_id: operatorId, user_id: userId, coins })
    .execute()
}
