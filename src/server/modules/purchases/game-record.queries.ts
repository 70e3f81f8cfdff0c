import { sql } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { DeliveryState } from './deliveries.rules.ts'

export type KnownDelivery = {
  id: string
  state: DeliveryState
  account: string
  amount: string
  goods: Good[]
  settled_at: Date | null
}

/** The deliveries of these ids; ids that are unknown are left out. */
export async function selectKnown(db: Db, ids: readonly string[]): Promise<Map<string, KnownDelivery>> {
  const { rows } = await sql<KnownDelivery>`
    SELECT id, state, account, amount, goods, settled_at FROM delivery WHERE id = ANY (${ids}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
