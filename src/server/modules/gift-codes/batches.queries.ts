import { sql } from 'kysely'
import type { BodyOf, QueryOf } from '#contract/endpoint.ts'
import type { Good } from '#contract/deliveries.ts'
import type {
  GiftCodeBatch,
  GiftCodeUse,
  operatorGiftCodes,
  operatorGiftCodeUses,
} from '#contract/operator/rewards/gift-codes.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { listDueOf } from '#server/platform/queues/due-rows.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, beyond, countWithinReach, pageById } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'

const batches = (db: Db | Tx) =>
  db
    .selectFrom('gift_code_batch as b')
    .leftJoin('budget', 'budget.id', 'b.budget_id')
    .leftJoin('servers', 'servers.id', 'b.server_id')
    .innerJoin('users as maker', 'maker.id', 'b.made_by')
    .selectAll('b')
    .select(['budget.title as budget_title', 'servers.name as server_name', 'maker.username as maker'])
    .select(
      sql<string | null>`(SELECT id FROM proposal
        WHERE kind = 'gift-codes' AND subject = b.id::text AND state = 'waiting')`.as('proposal_id'),
    )
    .$narrowType<Pick<GiftCodeBatch, 'state'>>()

type Row = Awaited<ReturnType<ReturnType<typeof batches>['executeTakeFirstOrThrow']>>

function toBatch(stored: Row): GiftCodeBatch {
  const { maker, made_by, stopped_by: _, ...row } = stored
  return {
    ...row,
    coins: row.coins === null ? null : parseCoins(row.coins),
    goods: row.goods as Good[] | null,
    held: parseCoins(row.held),
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    made_by: { id: made_by, username: maker },
    made_at: row.made_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    stopped_at: row.stopped_at?.toISOString() ?? null,
  }
}

type Filter = NonNullable<QueryOf<typeof operatorGiftCodes.list>['filter']>

const matching = ({ id, state }: Filter) =>
  allOf([
    id === undefined ? null : sql`b.id = ANY(${id}::bigint[])`,
    state === undefined ? null : sql`b.state = ${state}`,
  ])

export async function selectBatches(
  db: Db,
  filter: Filter,
  page: ListPage,
): Promise<ListRows<GiftCodeBatch>> {
  const rows = await pageById(batches(db).where(matching(filter)), 'b.id', page).execute()
  const counted = db.selectFrom('gift_code_batch as b').where(matching(filter))
  return { total: () => countWithinReach(db, counted), rows: rows.map(toBatch) }
}

export async function findBatch(db: Db | Tx, id: string): Promise<GiftCodeBatch | undefined> {
  const row = await batches(db).where('b.id', '=', id).executeTakeFirst()
  return row && toBatch(row)
}

type Written = Omit<BodyOf<typeof operatorGiftCodes.update>, 'reason' | 'updated_at' | 'new_budget'>

type NewBatch = Written & Pick<GiftCodeBatch, 'codes' | 'uses_per_code'> & { madeBy: string }

const columnsOf = <Batch extends Written>({ goods, ...batch }: Batch) => ({
  ...batch,
  goods: goods === null ? null : JSON.stringify(goods),
})

/** Whether there is such a server; null stands for all. */
export async function isServer(tx: Tx, id: string | null): Promise<boolean> {
  if (id === null) return true
  return (await tx.selectFrom('servers').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Writes a batch with the hashes of its codes. Answers its id. */
export async function insertBatch(
  tx: Tx,
  { madeBy, ...batch }: NewBatch,
  hashes: readonly Buffer[],
): Promise<string> {
  const { id } = await tx
    .insertInto('gift_code_batch')
    .values({ ...columnsOf(batch), made_by: madeBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    INSERT INTO gift_code (hash, batch_id, uses_max)
    SELECT hash, ${id}::bigint, ${batch.uses_per_code} FROM unnest(${hashes}::bytea[]) AS hash`.execute(tx)
  return id
}

/** Gives a batch that was never started other terms. */
export async function updateBatch(tx: Tx, { id, ...written }: Written & { id: string }): Promise<void> {
  await tx
    .updateTable('gift_code_batch')
    .set({ ...columnsOf(written), updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

export type LockedBatch = {
  state: GiftCodeBatch['state']
  isOver: boolean
  /** None where it gives TCoin. */
  goods: Good[]
  /** TCoin that all its uses cost. */
  cost: number
  held: number
  /** Of its budget; null where it gives goods. */
  account: { id: string; balance: number } | null
}

type LockedRow = Omit<LockedBatch, 'account' | 'cost' | 'held'> & {
  cost: string
  held: string
  accountId: string | null
  balance: string | null
}

/** Locks a batch, then its budget: who draws on that takes turns with whoever else does. */
export async function lockBatch(tx: Tx, id: string): Promise<LockedBatch | undefined> {
  await sql`SELECT FROM gift_code_batch WHERE id = ${id}::bigint FOR NO KEY UPDATE`.execute(tx)
  await sql`
    SELECT FROM budget WHERE id = (SELECT budget_id FROM gift_code_batch WHERE id = ${id}::bigint)
       FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql<LockedRow>`
    SELECT b.state, b.ends_at <= clock_timestamp() AS "isOver", b.held, coalesce(b.goods, '[]') AS goods,
           coalesce(b.coins, 0) * (b.codes * b.uses_per_code::bigint) AS cost,
           account.id AS "accountId", account.balance
      FROM gift_code_batch b
      LEFT JOIN budget ON budget.id = b.budget_id
      LEFT JOIN ledger_account account ON account.id = budget.account_id
     WHERE b.id = ${id}::bigint`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  const { accountId, balance, cost, held, ...rest } = row
  return {
    ...rest,
    cost: parseCoins(cost),
    held: parseCoins(held),
    account: accountId === null ? null : { id: accountId, balance: parseCoins(balance ?? '0') },
  }
}

export async function markRunning(tx: Tx, { id, held }: { id: string; held: number }): Promise<void> {
  await sql`
    UPDATE gift_code_batch SET state = 'running', started_at = clock_timestamp(), held = ${held}::bigint
     WHERE id = ${id}::bigint`.execute(tx)
}

export async function markStopped(tx: Tx, { id, by }: { id: string; by: string }): Promise<void> {
  await sql`
    UPDATE gift_code_batch SET state = 'stopped', stopped_at = clock_timestamp(), stopped_by = ${by}::bigint
     WHERE id = ${id}::bigint`.execute(tx)
}

export async function markReleased(tx: Tx, id: string): Promise<void> {
  await sql`UPDATE gift_code_batch SET held = 0 WHERE id = ${id}::bigint`.execute(tx)
}

/** Batches that are over and for which TCoin are held. */
export const listOverBatches = listDueOf({
  id: 'gift_code_batch.id',
  from: sql`gift_code_batch`,
  isDue: sql`held > 0 AND ends_at <= clock_timestamp()`,
  order: sql`ends_at`,
})

type UseFilter = NonNullable<QueryOf<typeof operatorGiftCodeUses.list>['filter']>

const usesMatching = ({ id, batch_id, user_id }: UseFilter) =>
  allOf([
    id === undefined ? null : sql`u.id = ANY(${id}::bigint[])`,
    batch_id === undefined ? null : sql`u.batch_id = ${batch_id}::bigint`,
    user_id === undefined ? null : sql`u.user_id = ${user_id}::bigint`,
  ])

type UseRow = {
  id: string
  batch_id: string
  user_id: string
  username: string
  used_at: Date
  delivery: GiftCodeUse['delivery']
}

/** With the delivery of goods; none where the game refused them and they were not redeemed again. */
export async function selectUses(
  db: Db,
  filter: UseFilter,
  { order, from, to, after }: ListPage,
): Promise<ListRows<GiftCodeUse>> {
  const { rows } = await sql<UseRow>`
    SELECT u.id, u.batch_id, u.user_id, users.username, u.used_at,
           (SELECT json_build_object('id', d.id, 'state', d.state)
              FROM reward r JOIN delivery d ON d.id = r.delivery_id
             WHERE r.user_id = u.user_id AND r.given_for = 'gift_code:' || u.id AND r.voided_at IS NULL) AS delivery
      FROM (SELECT u.* FROM gift_code_use u
             WHERE ${usesMatching(filter)}
               AND (${after ?? null}::bigint IS NULL OR u.id ${beyond(order)} ${after ?? null}::bigint)
             ORDER BY u.id ${sql.raw(order)} LIMIT ${to - from + 1} OFFSET ${from}) u
      JOIN users ON users.id = u.user_id
     ORDER BY u.id ${sql.raw(order)}`.execute(db)
  const counted = db.selectFrom('gift_code_use as u').where(usesMatching(filter))
  return {
    total: () => countWithinReach(db, counted),
    rows: rows.map(({ user_id, username, used_at, ...row }) => ({
      ...row,
      user: { id: user_id, username },
      used_at: used_at.toISOString(),
    })),
  }
}
