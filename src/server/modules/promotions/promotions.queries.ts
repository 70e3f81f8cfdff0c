import { sql } from 'kysely'
import type { BodyOf, QueryOf } from '#contract/endpoint.ts'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import type { operatorPromotions, Promotion } from '#contract/operator/promotions.ts'
import { CHANNEL_WORDS } from '#contract/operator/words.ts'
import { sentenceOf } from '#contract/promotion-rules.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, countWithinReach, pageById } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'

const promotions = (db: Db | Tx) =>
  db
    .selectFrom('promotion as p')
    .innerJoin('budget', 'budget.id', 'p.budget_id')
    .innerJoin('users as maker', 'maker.id', 'p.made_by')
    .selectAll('p')
    .select(['budget.title as budget_title', 'maker.username as maker'])
    .select(
      sql<string | null>`(SELECT id FROM proposal
        WHERE kind = 'promotion' AND subject = p.id::text AND state = 'waiting')`.as('proposal_id'),
    )
    .select([
      sql<string>`(SELECT coalesce(sum(held), 0) FROM order_bonus WHERE promotion_id = p.id AND state = 'held')`.as(
        'held',
      ),
      sql<number>`(SELECT count(*)::integer FROM (
        SELECT FROM order_bonus WHERE promotion_id = p.id AND state = 'granted' LIMIT ${LIST_REACH_MAX}) few)`.as(
        'orders',
      ),
      sql<number>`(SELECT count(*)::integer FROM (
        SELECT FROM promotion_use WHERE promotion_id = p.id AND amount > 0 LIMIT ${LIST_REACH_MAX}) few)`.as(
        'players',
      ),
    ])
    .$narrowType<Pick<Promotion, 'kind' | 'state' | 'steps'>>()

type Row = Awaited<ReturnType<ReturnType<typeof promotions>['executeTakeFirstOrThrow']>>

function toPromotion(stored: Row): Promotion {
  const { maker, made_by, stopped_by: _, ...row } = stored
  const terms = {
    kind: row.kind,
    percent: row.percent,
    amount: row.amount === null ? null : parseCoins(row.amount),
    steps: row.steps,
    minimum: parseCoins(row.minimum),
    cap_per_player: parseCoins(row.cap_per_player),
    is_first_recharge: row.is_first_recharge,
    ends_at: row.ends_at.toISOString(),
  }
  return {
    ...row,
    ...terms,
    sentence: sentenceOf(terms, channelName(row.channel)),
    cap_total: parseCoins(row.cap_total),
    given: parseCoins(row.given),
    held: parseCoins(row.held),
    starts_at: row.starts_at.toISOString(),
    made_by: { id: made_by, username: maker },
    made_at: row.made_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    stopped_at: row.stopped_at?.toISOString() ?? null,
  }
}

/** The only channel that a promotion is for; null: it is for all. */
export const channelName = (channel: number | null): string | null =>
  channel === null ? null : (CHANNEL_WORDS[channel] ?? null)

type Filter = NonNullable<QueryOf<typeof operatorPromotions.list>['filter']>

const matching = ({ id, state, budget_id }: Filter) =>
  allOf([
    id === undefined ? null : sql`p.id = ANY(${id}::bigint[])`,
    state === undefined ? null : sql`p.state = ${state}`,
    budget_id === undefined ? null : sql`p.budget_id = ${budget_id}::bigint`,
  ])

export async function selectPromotions(db: Db, filter: Filter, page: ListPage): Promise<ListRows<Promotion>> {
  const rows = await pageById(promotions(db).where(matching(filter)), 'p.id', page).execute()
  const counted = db.selectFrom('promotion as p').where(matching(filter))
  return { total: () => countWithinReach(db, counted), rows: rows.map(toPromotion) }
}

export async function findPromotion(db: Db | Tx, id: string): Promise<Promotion | undefined> {
  const row = await promotions(db).where('p.id', '=', id).executeTakeFirst()
  return row && toPromotion(row)
}

type Terms = BodyOf<typeof operatorPromotions.preview>
type Written = Omit<Terms, 'budget_id'> & { title: string; budget_id: string }

const columnsOf = ({ steps, ...promotion }: Written) => ({
  ...promotion,
  steps: steps === null ? null : JSON.stringify(steps),
})

export async function insertPromotion(
  tx: Tx,
  { madeBy, ...written }: Written & { madeBy: string },
): Promise<string> {
  const { id } = await tx
    .insertInto('promotion')
    .values({ ...columnsOf(written), made_by: madeBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Gives a promotion that was never started other terms. */
export async function updatePromotion(tx: Tx, { id, ...written }: Written & { id: string }): Promise<void> {
  await tx
    .updateTable('promotion')
    .set({ ...columnsOf(written), updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

export type LockedPromotion = {
  state: Promotion['state']
  isOver: boolean
  capTotal: number
  balance: number
}

/** Locks a promotion, and answers it with what its budget holds. */
export async function lockPromotion(tx: Tx, id: string): Promise<LockedPromotion | undefined> {
  const { rows } = await sql<LockedPromotion & Record<'capTotal' | 'balance', string>>`
    SELECT p.state, p.ends_at <= clock_timestamp() AS "isOver", p.cap_total AS "capTotal", account.balance
      FROM promotion p
      JOIN budget ON budget.id = p.budget_id
      JOIN ledger_account account ON account.id = budget.account_id
     WHERE p.id = ${id}::bigint FOR NO KEY UPDATE OF p`.execute(tx)
  return (
    rows[0] && { ...rows[0], capTotal: parseCoins(rows[0].capTotal), balance: parseCoins(rows[0].balance) }
  )
}

export async function markRunning(tx: Tx, id: string): Promise<void> {
  await sql`UPDATE promotion SET state = 'running', started_at = clock_timestamp() WHERE id = ${id}::bigint`.execute(
    tx,
  )
}

export async function markStopped(tx: Tx, { id, by }: { id: string; by: string }): Promise<void> {
  await sql`
    UPDATE promotion SET state = 'stopped', stopped_at = clock_timestamp(), stopped_by = ${by}::bigint
     WHERE id = ${id}::bigint`.execute(tx)
}

/** No longer than this is computed for somebody who waits at a form. */
const DRY_RUN_MS = 5_000

/**
 * What the terms would have cost over the recharges of orders in so many days: what each would have brought, up to the cap of
 * its player, and that up to the cap of all. The same rule as `bonusFor`, over all of them in one statement.
 */
export async function costOver(tx: Tx, terms: Terms, days: number): Promise<DryRun> {
  await sql`SELECT set_config('statement_timeout', ${String(DRY_RUN_MS)}, true)`.execute(tx)
  const rule = {
    percent: sql`t.amount * o.rate * ${terms.percent}::bigint / 100`,
    fixed: sql`${terms.amount}::bigint`,
    steps: sql`coalesce((SELECT step.amount FROM jsonb_to_recordset(${JSON.stringify(terms.steps)}::jsonb)
      AS step ("from" bigint, amount bigint) WHERE step."from" <= t.amount ORDER BY step."from" DESC LIMIT 1), 0)`,
  }[terms.kind]
  const { rows } = await sql<DryRun & { coins: string }>`
    WITH paid AS (
      SELECT t.user_id, CASE WHEN t.amount >= ${terms.minimum}::bigint THEN ${rule} ELSE 0 END AS bonus
        FROM bank_transaction t JOIN payment_order o ON o.id = t.order_id
       WHERE t.state = 'credited' AND t.created_at >= now() - make_interval(days => ${days})
         AND (${terms.channel}::smallint IS NULL OR o.channel = ${terms.channel}::smallint)
         AND (NOT ${terms.is_first_recharge} OR NOT EXISTS (
           SELECT FROM bank_transaction earlier
            WHERE earlier.user_id = t.user_id AND earlier.state = 'credited'
              AND (earlier.created_at, earlier.id) < (t.created_at, t.id)))),
    players AS (
      SELECT least(sum(bonus), ${terms.cap_per_player}::bigint) AS coins, count(*) AS orders
        FROM paid WHERE bonus > 0 GROUP BY user_id)
    SELECT least(coalesce(sum(coins), 0), ${terms.cap_total}::bigint)::bigint AS coins,
           coalesce(sum(orders), 0)::integer AS orders, count(*)::integer AS players
      FROM players`.execute(tx)
  const [row] = rows as [DryRun & { coins: string }]
  return { ...row, coins: parseCoins(row.coins) }
}

type DryRun = { coins: number; orders: number; players: number }
