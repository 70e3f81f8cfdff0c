import type { Tx } from '#server/platform/db/transaction.ts'

export type NewExchangeOrder = {
  deliveryId: string
  userId: string
  amount: number
  rate: number
  bonusPercent: number
  receive: number
}

export async function insertExchangeOrder(tx: Tx, order: NewExchangeOrder): Promise<void> {
  await tx
    .insertInto('exchange_order')
    .values({
      delivery_id: order.deliveryId,
      user_id: order.userId,
      amount: order.amount,
      rate: order.rate,
      bonus_percent: order.bonusPercent,
      receive: order.receive,
    })
    .execute()
}
