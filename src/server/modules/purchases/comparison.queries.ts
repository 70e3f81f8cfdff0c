import { sql, type RawBuilder } from 'kysely'
import type { Comparison, operatorMissingDeliveries } from '#contract/operator/game/comparison.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import { allOf, beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { storedColumns, type StoredDelivery, withCollection } from './operator.queries.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

export type NewComparison = {
  startedBy: string | null
  serverId: string | null
  since: Date
  until: Date
}

/** Undefined while another one runs. */
export async function insertComparison(
  db: Db | Tx,
  { startedBy, serverId, since, until }: NewComparison,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO game_comparison (started_by, server_id, since, until)
    VALUES (${startedBy}::bigint, ${serverId}, ${since}, ${until})
    ON CONFLICT (state) WHERE state = 'running' DO NOTHING RETURNING id`.execute(db)
  return rows[0]?.id
}

/** This one, or the latest. */
export async function findComparison(db: Db | Tx, id: string | null): Promise<Comparison | undefined> {
  const row = await db
    .selectFrom('game_comparison as c')
    .leftJoin('users', 'users.id', 'c.started_by')
    .select(['c.id', 'c.state', 'c.started_by', 'users.username', 'c.started_at', 'c.finished_at'])
    .select(['c.server_id', 'c.since', 'c.until', 'c.reached_at', 'c.asked', 'c.missing'])
    .$narrowType<Pick<Comparison, 'state'>>()
    .$if(id !== null, (query) => query.where('c.id', '=', id as string))
    .orderBy('c.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { started_by, username, ...rest } = row
  return {
    ...rest,
    by: started_by === null ? null : { id: started_by, username: username ?? '' },
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    reached_at: row.reached_at?.toISOString() ?? null,
  }
}

export type ClaimedComparison = { id: string; reachedId: string | null; missing: number }

const isFree = (leaseSeconds: number) =>
  sql<boolean>`state = 'running' AND ${isDue(sql`lease_until`, leaseSeconds)}`

/** The comparison that runs, if nobody has it. */
export async function listRunning(db: Db, isResting: IsResting, leaseSeconds: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM game_comparison
     WHERE ${isFree(leaseSeconds)} AND NOT ${isResting(sql`game_comparison.id`)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Leases it for one worker until the lease ends; undefined when another has it. */
export async function claimComparison(
  db: Db,
  id: string,
  { leaseSeconds }: { leaseSeconds: number },
): Promise<ClaimedComparison | undefined> {
  const { rows } = await sql<ClaimedComparison>`
    UPDATE game_comparison SET lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
     WHERE id = ${id}::bigint AND ${isFree(leaseSeconds)}
    RETURNING id, reached_id AS "reachedId", missing`.execute(db)
  return rows[0]
}

export type ComparedDelivery = {
  id: string
  serverId: string
  boughtAt: Date
  /** The same with all of its digits: the mark behind which the next page begins. */
  mark: string
  /** Delivered, of somebody who is not erased, and not given again. */
  isAsked: boolean
}

/** The next deliveries of a comparison in the order of purchase, those that are not asked about too. */
export async function selectCompared(db: Db, id: string, limit: number): Promise<ComparedDelivery[]> {
  const { rows } = await sql<ComparedDelivery>`
    SELECT d.id, d.server_id AS "serverId", d.created_at AS "boughtAt", d.created_at::text AS mark,
           d.state = 'delivered' AND d.account <> 'da-xoa' AND (c.server_id IS NULL OR d.server_id = c.server_id)
             AND NOT EXISTS (SELECT FROM delivery later WHERE later.replaces = d.id AND later.state <> 'refunded')
             AS "isAsked"
      FROM (SELECT id, server_id, until, coalesce(reached_at, since) AS from_at,
                   coalesce(reached_id, '00000000-0000-0000-0000-000000000000') AS from_id
              FROM game_comparison WHERE id = ${id}::bigint) c
     CROSS JOIN LATERAL (
       SELECT * FROM delivery
        WHERE (created_at, id) > (c.from_at, c.from_id) AND created_at < c.until
        ORDER BY created_at, id LIMIT ${limit}) d
     ORDER BY d.created_at, d.id`.execute(db)
  return rows
}

/** What one page brought; `state` is null while there are more. */
type ComparedPage = {
  reached: Pick<ComparedDelivery, 'id' | 'mark'> | undefined
  asked: number
  missing: readonly ComparedDelivery[]
  state: 'done' | 'too-many' | null
}

/** False when the comparison has gone on since it was claimed: another worker has written this page, or it is over. */
export async function storeComparedPage(
  tx: Tx,
  { id, reachedId }: Pick<ClaimedComparison, 'id' | 'reachedId'>,
  { reached, asked, missing, state }: ComparedPage,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('game_comparison')
    .set({
      asked: sql`asked + ${asked}::integer`,
      missing: sql`missing + ${missing.length}::integer`,
      failures: 0,
      lease_until: sql`'-infinity'`,
      ...(reached && { reached_at: sql<Date>`${reached.mark}::timestamptz`, reached_id: reached.id }),
      ...(state && { state, finished_at: sql<Date>`clock_timestamp()` }),
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(sql<boolean>`reached_id IS NOT DISTINCT FROM ${reachedId}::uuid`)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  const rows = missing.map((one) => ({
    comparison_id: id,
    delivery_id: one.id,
    server_id: one.serverId,
    bought_at: sql<Date>`${one.mark}::timestamptz`,
  }))
  if (rows.length > 0) await tx.insertInto('missing_delivery').values(rows).execute()
  return true
}

type FailedPage = { failuresMax: number; pauseSeconds: number }

/** The game did not answer: the page is asked about again after the pause, and after too many failures no more. */
export async function storeFailedPage(
  db: Db,
  id: string,
  { failuresMax, pauseSeconds }: FailedPage,
): Promise<void> {
  await sql`
    UPDATE game_comparison
       SET failures = failures + 1, lease_until = clock_timestamp() + make_interval(secs => ${pauseSeconds}),
           state = CASE WHEN failures + 1 >= ${failuresMax} THEN 'failed' ELSE state END,
           finished_at = CASE WHEN failures + 1 >= ${failuresMax} THEN clock_timestamp() END
     WHERE id = ${id}::bigint AND state = 'running'`.execute(db)
}

export type MissingFilter = NonNullable<QueryOf<typeof operatorMissingDeliveries.list>['filter']>

const found = ({ id, comparison, server_id }: MissingFilter): RawBuilder<boolean> =>
  allOf([
    comparison === undefined
      ? sql`comparison_id = (SELECT max(id) FROM game_comparison)`
      : sql`comparison_id = ${comparison}::bigint`,
    id === undefined ? null : sql`delivery_id = ANY (${id}::uuid[])`,
    server_id === undefined ? null : sql`server_id = ${server_id}`,
  ])

export async function listMissing(
  db: Db,
  filter: MissingFilter,
  { order, from, to, after }: ListPage,
): Promise<StoredDelivery[]> {
  const direction = sql.raw(order)
  const behind =
    after === undefined
      ? sql`true`
      : sql`(bought_at, delivery_id) ${beyond(order)} ((SELECT created_at FROM delivery WHERE id = ${after}::uuid), ${after}::uuid)`
  const { rows } = await sql<StoredDelivery>`
    WITH page AS MATERIALIZED (
      SELECT delivery_id AS id FROM missing_delivery WHERE ${found(filter)} AND ${behind}
       ORDER BY bought_at ${direction}, delivery_id ${direction} OFFSET ${from} LIMIT ${to - from + 1})
    SELECT ${storedColumns} FROM page JOIN delivery USING (id) ${withCollection}
     ORDER BY created_at ${direction}, id ${direction}`.execute(db)
  return rows
}

export async function countMissing(db: Db, filter: MissingFilter): Promise<number> {
  const rows = sql<{ id: string }>`(SELECT delivery_id AS id FROM missing_delivery WHERE ${found(filter)})`
  return countWithinReach(db, db.selectFrom(rows.as('found')))
}

const OLD_COMPARISONS = 'old comparisons'

/** Erases one batch of rows of comparisons that ended longer ago; true when there may be more. */
export const removeOldMissing = (deps: { db: Db; log: Log }, days: number): Promise<boolean> =>
  sweep(deps, {
    job: OLD_COMPARISONS,
    table: 'missing_delivery',
    isDue: sql`due.comparison_id IN (
      SELECT id FROM game_comparison WHERE finished_at < now() - make_interval(days => ${days}::integer))`,
  })

/** Then the comparisons, those that have no rows any more. */
export const removeOldComparisons = (deps: { db: Db; log: Log }, days: number): Promise<boolean> =>
  sweep(deps, {
    job: OLD_COMPARISONS,
    table: 'game_comparison',
    isDue: sql`due.finished_at < now() - make_interval(days => ${days}::integer)
      AND NOT EXISTS (SELECT FROM missing_delivery WHERE comparison_id = due.id)`,
    order: sql`due.id`,
  })
