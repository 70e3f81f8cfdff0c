import { sql, type Insertable, type QueryCreator } from 'kysely'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export const exchangeOrder = (db: QueryCreator<DB>, order: Insertable<DB['exchange_order']>) =>
  db.insertInto('exchange_order').values(order)

/** True while the account holds a gift; a refunded one does not count. */
export async function hasGift(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('first_gift')
    .select('delivery_id')
    .where('user_id', '=', userId)
    .where('voided_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export const gift = (db: QueryCreator<DB>, taken: Insertable<DB['first_gift']>) =>
  db.insertInto('first_gift').values(taken)

export async function voidGift(tx: Tx, deliveryId: string): Promise<void> {
  await tx
    .updateTable('first_gift')
    .set({ voided_at: sql`clock_timestamp()` })
    .where('delivery_id', '=', deliveryId)
    .where('voided_at', 'is', null)
    .execute()
}
