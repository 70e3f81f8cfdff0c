import type { Tx } from '#server/platform/db/transaction.ts'

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

type NewGift = { deliveryId: string; userId: string; packageId: number }

export async function insertGift(tx: Tx, { deliveryId, userId, packageId }: NewGift): Promise<void> {
  await tx
    .insertInto('first_gift')
    .values({ delivery_id: deliveryId, user_id: userId, package_id: packageId })
    .execute()
}
