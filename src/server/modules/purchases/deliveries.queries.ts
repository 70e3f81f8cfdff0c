import { sql } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import type { PurchaseKind } from '#contract/purchases.ts'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { DeliveryState } from './deliveries.rules.ts'

export type NewDelivery = {
  id: string
  kind: PurchaseKind
  userId: string
  amount: number
  serverId: string
  account: string
  characterId: string
  characterName: string
  goods: readonly Good[]
}

export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<void> {
  await tx
    .insertInto('delivery')
    .values({
      id: delivery.id,
      kind: delivery.kind,
      user_id: delivery.userId,
      amount: delivery.amount,
      server_id: delivery.serverId,
      account: delivery.account,
      character_id: delivery.characterId,
      character_name: delivery.characterName,
      goods: JSON.stringify(delivery.goods),
    })
    .execute()
}

/** Wakes the workers when this transaction commits. Only a hint: they look by themselves every second. */
export async function notifyDeliveryDue(tx: Tx): Promise<void> {
  await sql`SELECT pg_notify('delivery_due', '')`.execute(tx)
}

export async function notifyDeliveryChanged(tx: Tx, userId: string): Promise<void> {
  await sql`SELECT pg_notify('delivery_changed', ${userId})`.execute(tx)
}

const listed = [
  'id',
  'kind',
  'character_name',
  'goods',
  'amount',
  'state',
  'created_at',
  'settled_at',
] as const

export type ListedDelivery = {
  id: string
  kind: PurchaseKind
  characterName: string
  goods: Good[]
  amount: number
  state: DeliveryState
  createdAt: Date
  settledAt: Date | null
}

type ListedRow = HeldRow & { state: string; created_at: Date; settled_at: Date | null }

const toListed = (row: Omit<ListedRow, 'user_id'>): ListedDelivery => ({
  id: row.id,
  kind: row.kind as PurchaseKind,
  characterName: row.character_name,
  goods: row.goods as Good[],
  amount: parseCoins(row.amount),
  state: row.state as DeliveryState,
  createdAt: row.created_at,
  settledAt: row.settled_at,
})

export async function selectDeliveries(
  db: Db,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedDelivery[]> {
  // What is on the page is found in the index alone, and only that is read.
  const page = db
    .selectFrom('delivery')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  const rows = await db
    .selectFrom('delivery')
    .select(listed)
    .where('id', 'in', page)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toListed)
}

export type ReceivedDelivery = ListedDelivery & {
  serverName: string
  /** What the last attempt brought; for a refund, why. */
  note: string | null
}

/** One purchase of the player with what its receipt adds. */
export async function findDeliveryOf(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<ReceivedDelivery | undefined> {
  const row = await db
    .selectFrom('delivery')
    .leftJoin('servers', 'servers.id', 'delivery.server_id')
    .select(listed.map((column) => `delivery.${column}` as const))
    .select(['delivery.server_id', 'delivery.last_error', 'servers.name as server_name'])
    .where('delivery.id', '=', id)
    .where('delivery.user_id', '=', userId)
    .executeTakeFirst()
  return row && { ...toListed(row), serverName: row.server_name ?? row.server_id, note: row.last_error }
}

export async function countDeliveries(db: Db, userId: string): Promise<number> {
  const { total } = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.countAll<string>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** What it takes to settle or refund, and to tell of it. */
export type HeldDelivery = {
  id: string
  kind: PurchaseKind
  userId: string
  amount: number
  characterName: string
  goods: Good[]
}

export const heldColumns = ['id', 'kind', 'user_id', 'amount', 'character_name', 'goods'] as const

type HeldRow = {
  id: string
  kind: string
  user_id: string
  amount: string
  character_name: string
  goods: unknown
}

export const toHeld = (row: HeldRow): HeldDelivery => ({
  id: row.id,
  kind: row.kind as PurchaseKind,
  userId: row.user_id,
  amount: parseCoins(row.amount),
  characterName: row.character_name,
  goods: row.goods as Good[],
})

/** The request by which it was bought, as its hold has it: every line of the log about a purchase carries it. */
export const requestOfPurchase = sql<string | null>`(
  SELECT request_id FROM ledger_transfer
   WHERE kind = delivery.kind || '_hold' AND source_type = 'delivery' AND source_id = delivery.id::text)`

/** Locks one delivery; always before any ledger account. */
export async function lockDelivery(
  tx: Tx,
  id: string,
): Promise<(HeldDelivery & { state: DeliveryState; requestId: string | null }) | undefined> {
  const row = await tx
    .selectFrom('delivery')
    .select([...heldColumns, 'state', requestOfPurchase.as('request_id')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...toHeld(row), state: row.state as DeliveryState, requestId: row.request_id }
}

export async function findDeliveryState(db: Db, id: string): Promise<DeliveryState | undefined> {
  const row = await db.selectFrom('delivery').select('state').where('id', '=', id).executeTakeFirst()
  return row?.state as DeliveryState | undefined
}

/** Ends a locked delivery, whatever lease there was. */
export async function updateFinalState(
  tx: Tx,
  id: string,
  { state, note }: { state: 'delivered' | 'refunded'; note: string | null },
): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({
      state,
      last_error: note,
      lease_token: null,
      lease_until: null,
      settled_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}

/** False when it is not parked (any more). */
export async function updateParkedToDue(tx: Tx, id: string): Promise<boolean> {
  const updated = await tx
    .updateTable('delivery')
    // Nobody knows whether an earlier attempt arrived, so the game is asked first.
    .set({ state: 'unknown', next_attempt_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'parked')
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}
