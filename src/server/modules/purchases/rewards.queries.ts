import { type Insertable, sql } from 'kysely'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

type NewReward = Pick<
  Insertable<DB['delivery']>,
  'id' | 'user_id' | 'server_id' | 'account' | 'character_id' | 'character_name' | 'goods'
> & { given_for: string }

/** Writes a reward and its delivery in one statement; false, and neither, where the player has it already. */
export async function insertReward(tx: Tx, reward: NewReward): Promise<boolean> {
  const { numAffectedRows } = await sql`
    WITH reward AS (
      INSERT INTO reward (delivery_id, user_id, given_for)
        VALUES (${reward.id}::uuid, ${reward.user_id}::bigint, ${reward.given_for})
        ON CONFLICT (user_id, given_for) WHERE voided_at IS NULL DO NOTHING
        RETURNING delivery_id)
    INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods)
    SELECT delivery_id, 'reward', ${reward.user_id}::bigint, 0, ${reward.server_id}, ${reward.account},
           ${reward.character_id}, ${reward.character_name}, ${reward.goods}::jsonb
      FROM reward`.execute(tx)
  return numAffectedRows === 1n
}

/** A refused reward gave nothing: the player may have it again. */
export async function voidReward(tx: Tx, deliveryId: string): Promise<void> {
  await tx
    .updateTable('reward')
    .set({ voided_at: sql`clock_timestamp()` })
    .where('delivery_id', '=', deliveryId)
    .execute()
}
