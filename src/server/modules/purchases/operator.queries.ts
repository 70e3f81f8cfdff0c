import { LIST_REACH_MAX } from '#contract/operator/list.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import type { PurchaseKind } from '#contract/purchases.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { DeliveryState } from './deliveries.rules.ts'

export type StoredDelivery = {
  id: string
  kind: PurchaseKind
  user_id: string
  account: string
  server_id: string
  character_id: string
  character_name: string
  goods: Good[]
  amount: string
  state: DeliveryState
  attempt: number
  next_attempt_at: Date
  last_error: string | null
  created_at: Date
  settled_at: Date | null
}

const stored = sql`id, kind, user_id, account, server_id, character_id, character_name, goods, amount, state, attempt,
  next_attempt_at, last_error, created_at, settled_at`

export type DeliveryFilter = {
  state?: DeliveryState
  isOpen?: boolean
  userId?: string
  olderThanSeconds?: number
  ids?: string[]
}

function matching(filter: DeliveryFilter): RawBuilder<unknown> {
  const { state, isOpen, userId, olderThanSeconds, ids } = filter
  const conditions = [
    state === undefined ? null : sql`state = ${state}`,
    // In the words of the index.
    isOpen === undefined ? null : sql`state NOT IN ('delivered', 'refunded')`,
    userId === undefined ? null : sql`user_id = ${userId}::bigint`,
    olderThanSeconds === undefined
      ? null
      : sql`created_at < now() - make_interval(secs => ${olderThanSeconds}::float8)`,
    ids === undefined ? null : sql`id = ANY (${ids}::uuid[])`,
  ].filter((condition) => condition !== null)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `)
}

/** The page is found by its ids, mostly in an index alone: what is passed over is not read. */
export async function listStoredDeliveries(
  db: Db,
  filter: DeliveryFilter,
  { order, from, to }: { order: 'asc' | 'desc'; from: number; to: number },
): Promise<StoredDelivery[]> {
  const direction = sql.raw(order)
  const { rows } = await sql<StoredDelivery>`
    WITH page AS MATERIALIZED (
      SELECT id FROM delivery WHERE ${matching(filter)}
       ORDER BY created_at ${direction}, id ${direction} OFFSET ${from} LIMIT ${to - from + 1})
    SELECT ${stored} FROM page JOIN delivery USING (id)
     ORDER BY created_at ${direction}, id ${direction}`.execute(db)
  return rows
}

/** Counts no further than a list reaches: the table only grows. */
export async function countStoredDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) AS count FROM (
      SELECT FROM delivery WHERE ${matching(filter)} LIMIT ${LIST_REACH_MAX}) AS counted`.execute(db)
  return Number(rows[0]?.count)
}

export async function findStoredDelivery(db: Db, id: string): Promise<StoredDelivery | undefined> {
  const { rows } = await sql<StoredDelivery>`SELECT ${stored} FROM delivery WHERE id = ${id}::uuid`.execute(
    db,
  )
  return rows[0]
}
