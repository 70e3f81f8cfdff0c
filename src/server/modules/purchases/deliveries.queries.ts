import { sql, type Insertable, type QueryCreator, type Selectable, type Compilable } from 'kysely'
import type { DeliveryKind, Good, WaitingReason } from '#contract/deliveries.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows, hasRows } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import type { DeliveryState } from './deliveries.rules.ts'

export type OwnRow = (db: QueryCreator<DB>, deliveryId: string) => Compilable

/** Writes a delivery and the row of what was bought in one statement, which goes with the next one. */
export async function insertPurchase(
  tx: Tx,
  delivery: Insertable<DB['delivery']>,
  record: OwnRow,
): Promise<void> {
  const db = tx.with('bought', (creator) => creator.insertInto('delivery').values(delivery))
  await sendWithNext(tx, record(db as unknown as QueryCreator<DB>, String(delivery.id)).compile())
}

const listed = [
  'id',
  'kind',
  'replaces',
  'character_name',
  'goods',
  'amount',
  'state',
  'created_at',
  'settled_at',
] as const

export type ListedDelivery = ReturnType<typeof toListed>

/** Null throughout where the game does not tell it. */
const collected = ['c.delivery_id as followed_id', 'c.collected_at', 'c.waiting'] as const

type CollectedRow = { followed_id: string | null; collected_at: Date | null; waiting: string | null }
type ListedRow = Pick<Selectable<DB['delivery']>, (typeof listed)[number]> & CollectedRow

const toListed = ({ amount, created_at, settled_at, followed_id, ...row }: ListedRow) => ({
  ...row,
  is_collection_told: followed_id !== null,
  collected_at: row.collected_at?.toISOString() ?? null,
  waiting: row.waiting as WaitingReason | null,
  kind: row.kind as DeliveryKind,
  goods: row.goods as Good[],
  state: row.state as DeliveryState,
  amount: parseCoins(amount),
  created_at: created_at.toISOString(),
  settled_at: settled_at?.toISOString() ?? null,
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
    .leftJoin('delivery_collection as c', 'c.delivery_id', 'delivery.id')
    .select(listed)
    .select(collected)
    .where('id', 'in', page)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toListed)
}

type ReceivedDelivery = ListedDelivery & {
  server_name: string
  character_head: number | null
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
    .leftJoin('game_character as known', (join) =>
      join.onRef('known.user_id', '=', 'delivery.user_id').onRef('known.id', '=', 'delivery.character_id'),
    )
    .leftJoin('delivery_collection as c', 'c.delivery_id', 'delivery.id')
    .select(listed.map((column) => `delivery.${column}` as const))
    .select(collected)
    .select(['delivery.server_id', 'delivery.last_error', 'servers.name as server_name', 'known.head'])
    .where('delivery.id', '=', id)
    .where('delivery.user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { server_id, server_name, head: character_head, last_error: note, ...shown } = row
  return { ...toListed(shown), server_name: server_name ?? server_id, character_head, note }
}

export async function countDeliveries(db: Db, userId: string): Promise<number> {
  return countRows(db.selectFrom('delivery').where('user_id', '=', userId))
}

/** What is needed to settle or refund a delivery and to notify its player. */
export type HeldDelivery = {
  id: string
  kind: DeliveryKind
  userId: string
  amount: number
  characterName: string
  goods: Good[]
}

export const heldColumns = [
  'id',
  'kind',
  'user_id as userId',
  'amount',
  'character_name as characterName',
  'goods',
] as const

type HeldRow = Omit<HeldDelivery, 'kind' | 'amount' | 'goods'> & {
  kind: string
  amount: string
  goods: unknown
}

export const toHeld = <Row extends HeldRow>(row: Row) => ({
  ...row,
  kind: row.kind as DeliveryKind,
  amount: parseCoins(row.amount),
  goods: row.goods as Good[],
})

/** The request by which it was bought, as its hold has it: every line of the log about a purchase carries it. */
export const requestOfPurchase = sql<string | null>`(
  SELECT request_id FROM ledger_transfer
   WHERE kind = delivery.kind || '_hold' AND source_type = 'delivery' AND source_id = delivery.id::text)`

/** Locks one delivery; always before any ledger account. */
export async function lockDelivery(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('delivery')
    .select([...heldColumns, 'state', requestOfPurchase.as('requestId')])
    .$narrowType<{ state: DeliveryState }>()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && toHeld(row)
}

export async function findDeliveryState(db: Db | Tx, id: string): Promise<DeliveryState | undefined> {
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
      waits_behind: null,
      settled_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}

/** False when it is not parked (any more). */
export async function updateParkedToDue(tx: Tx, id: string): Promise<boolean> {
  const updated = await tx
    .updateTable('delivery')
    // Nobody knows whether an earlier attempt arrived, so the game is queried first.
    .set({ state: 'unknown', next_attempt_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'parked')
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

export const exchangeOrder = (db: QueryCreator<DB>, order: Insertable<DB['exchange_order']>) =>
  db.insertInto('exchange_order').values(order)

/** True while the account holds a gift; a refunded one does not count. */
export async function hasGift(tx: Tx, userId: string): Promise<boolean> {
  return hasRows(tx.selectFrom('first_gift').where('user_id', '=', userId).where('voided_at', 'is', null))
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
