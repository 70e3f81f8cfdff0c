import { type RawBuilder, sql } from 'kysely'
import type { Client } from 'pg'
import type { Good } from '#contract/deliveries.ts'
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import type { gameBridgeCall, OperatorDelivery, operatorDeliveries } from '#contract/operator/deliveries.ts'
import { inPages } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import type { DeliveryState } from './deliveries.rules.ts'
import { boundsOfDay } from '#server/platform/values/vietnam-time.rules.ts'

type Unparsed = 'amount' | 'next_attempt_at' | 'created_at' | 'settled_at' | 'collected_at'

export type StoredDelivery = Omit<OperatorDelivery, Unparsed> & {
  amount: string
  next_attempt_at: Date
  created_at: Date
  settled_at: Date | null
  collected_at: Date | null
}

export const storedColumns = sql`id, kind, user_id, account, server_id, character_id, character_name, goods, amount, state, attempt,
  next_attempt_at, last_error, created_at, settled_at, delivery_id IS NOT NULL AS is_collection_told, collected_at, waiting, replaces,
  (SELECT later.id FROM delivery later WHERE later.replaces = delivery.id AND later.state <> 'refunded') AS replaced_by`
export const withCollection = sql`LEFT JOIN delivery_collection ON delivery_id = id`

/** The filter of the list's query. */
export type GivenFilter = NonNullable<QueryOf<typeof operatorDeliveries.list>['filter']>

/** The same, with the id of the player who was named by `user`. */
export type DeliveryFilter = Omit<GivenFilter, 'user'> & { namedId?: string | undefined }

function matching(filter: DeliveryFilter): RawBuilder<boolean> {
  const {
    id,
    state,
    uncollected,
    waiting,
    server_id,
    user_id,
    namedId,
    batch,
    from,
    to,
    older_than_seconds,
  } = filter
  const isOpen =
    filter.open ?? (server_id !== undefined && uncollected === undefined && waiting === undefined)
  return allOf([
    id === undefined ? null : sql`id = ANY (${id}::uuid[])`,
    state === undefined ? null : sql`state = ${state}`,
    // The condition of the index.
    isOpen ? sql`state NOT IN ('delivered', 'refunded')` : null,
    uncollected === undefined ? null : sql`collected_at IS NULL`,
    waiting === undefined ? null : sql`waiting = ${waiting}`,
    server_id === undefined ? null : sql`server_id = ${server_id}`,
    user_id === undefined ? null : sql`user_id = ${user_id}::bigint`,
    namedId === undefined ? null : sql`user_id = ${namedId}::bigint`,
    batch === undefined
      ? null
      : sql`id IN (SELECT unnest(delivery_ids) FROM give_again_batch WHERE id = ${batch}::bigint)`,
    from === undefined ? null : sql`created_at >= ${boundsOfDay(from).start}`,
    to === undefined ? null : sql`created_at < ${boundsOfDay(to).end}`,
    older_than_seconds === undefined
      ? null
      : sql`created_at < now() - make_interval(secs => ${older_than_seconds}::float8)`,
  ])
}

/** What is not collected is found by the rows about that, which have the same order. */
const rowsOf = ({ uncollected, waiting }: DeliveryFilter) =>
  uncollected === undefined && waiting === undefined
    ? { from: sql`delivery`, by: [sql`created_at`, sql`id`] as const }
    : {
        from: sql`delivery_collection JOIN delivery ON id = delivery_id`,
        by: [sql`bought_at`, sql`delivery_id`] as const,
      }

type Order = readonly [at: RawBuilder<unknown>, id: RawBuilder<unknown>]

/** Behind one row, in the order of making. */
function behind([at, id]: Order, order: ListPage['order'], after: string | undefined): RawBuilder<boolean> {
  if (after === undefined) return sql<boolean>`true`
  const mark = sql`((SELECT created_at FROM delivery WHERE id = ${after}::uuid), ${after}::uuid)`
  return sql<boolean>`(${at}, ${id}) ${beyond(order)} ${mark}`
}

/** The page is found by its ids, mostly in an index alone: what is passed over is not read. */
export async function listStoredDeliveries(
  db: Db,
  filter: DeliveryFilter,
  { order, from, to, after }: ListPage,
): Promise<StoredDelivery[]> {
  const direction = sql.raw(order)
  const found = rowsOf(filter)
  const [at, idOf] = found.by
  const { rows } = await sql<StoredDelivery>`
    WITH page AS MATERIALIZED (
      SELECT id FROM ${found.from} WHERE ${matching(filter)} AND ${behind(found.by, order, after)}
       ORDER BY ${at} ${direction}, ${idOf} ${direction} OFFSET ${from} LIMIT ${to - from + 1})
    SELECT ${storedColumns} FROM page JOIN delivery USING (id) ${withCollection}
     ORDER BY created_at ${direction}, id ${direction}`.execute(db)
  return rows
}

export async function countStoredDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  const { from } = rowsOf(filter)
  return countWithinReach(
    db,
    db.selectFrom(sql<{ id: string }>`(SELECT id FROM ${from} WHERE ${matching(filter)})`.as('found')),
  )
}

type WaitingServer = AnswerOf<typeof gameBridgeCall>['waiting_by_server'][number]

/** For each server with open or uncollected deliveries how many, of the oldest. */
export async function countWaitingByServer(db: Db): Promise<WaitingServer[]> {
  const { rows } = await sql<WaitingServer>`
    SELECT server_id, max(coalesce(name, server_id)) AS server_name,
           count(*) FILTER (WHERE is_open)::int AS open, count(*) FILTER (WHERE NOT is_open)::int AS uncollected
      FROM ((SELECT server_id, true AS is_open FROM delivery WHERE state NOT IN ('delivered', 'refunded')
              ORDER BY created_at, id LIMIT ${LIST_REACH_MAX})
            UNION ALL
            (SELECT server_id, false FROM delivery_collection JOIN delivery ON id = delivery_id WHERE collected_at IS NULL
              ORDER BY bought_at, delivery_id LIMIT ${LIST_REACH_MAX})) AS waiting
      LEFT JOIN servers ON servers.id = server_id
     GROUP BY server_id
     ORDER BY count(*) DESC, server_id`.execute(db)
  return rows
}

export async function findStoredDelivery(db: Db | Tx, id: string): Promise<StoredDelivery | undefined> {
  const { rows } = await sql<StoredDelivery>`
    SELECT ${storedColumns} FROM delivery ${withCollection} WHERE id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** The worker asks the game about such a delivery before it sends it. */
export async function updateOpenToUnknown(client: Client, cause: string): Promise<void> {
  await client.query(
    `UPDATE delivery
        SET state = 'unknown', lease_token = NULL, lease_until = NULL, next_attempt_at = now(), last_error = $1
      WHERE state IN ('pending', 'sending', 'unknown')`,
    [cause],
  )
}

/** How many deliveries are neither delivered nor refunded, and how many TCoin were paid for them. */
export async function selectOpenSum(db: Db): Promise<{ count: string; amount: string } | undefined> {
  const { rows } = await sql<{ count: string; amount: string }>`
    SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount FROM delivery
     WHERE state NOT IN ('delivered', 'refunded')`.execute(db)
  return rows[0]
}

type KnownDelivery = {
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

export const deliveriesOfPerson = inPages(({ id }, { after, limit }) => {
  const [since = null, last = null] = after?.split('|') ?? []
  return sql`
    SELECT d.created_at::text || '|' || d.id AS cursor, d.id, d.kind, d.amount, d.server_id, d.account, d.character_id,
           d.character_name, d.goods, d.replaces, d.state, d.created_at, d.settled_at, c.collected_at, o.rate, o.bonus_percent, g.package_id
      FROM delivery d
      LEFT JOIN exchange_order o ON o.delivery_id = d.id
      LEFT JOIN first_gift g ON g.delivery_id = d.id
      LEFT JOIN delivery_collection c ON c.delivery_id = d.id
     WHERE d.user_id = ${id}::bigint
       AND (${since}::timestamptz IS NULL OR (d.created_at, d.id) > (${since}::timestamptz, ${last}::uuid))
     ORDER BY d.created_at, d.id LIMIT ${limit}`
})

export async function eraseDeliveriesOf(tx: Tx, userId: string): Promise<void> {
  await sql`
    DELETE FROM delivery_attempt
     WHERE delivery_id IN (SELECT id FROM delivery WHERE user_id = ${userId}::bigint)`.execute(tx)
  await sql`SELECT erase_deliveries_of(${userId}::bigint)`.execute(tx)
}

export async function countOpenOf(tx: Tx, userId: string): Promise<number> {
  const { rows } = await sql`
    SELECT FROM delivery WHERE user_id = ${userId}::bigint AND state NOT IN ('delivered', 'refunded')`.execute(
    tx,
  )
  return rows.length
}
