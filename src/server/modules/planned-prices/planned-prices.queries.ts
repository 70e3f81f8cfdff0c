import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type { operatorPlannedPrices, PlannedPrice } from '#contract/operator/setting-calls.ts'
import type { SettingKey } from '#contract/operator/settings.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, countWithinReach, pageById } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'

/** Of its rows there are few at any time: the planned and the active ones. */
const OPEN = ['planned', 'active'] as const

const plans = (db: Db | Tx) =>
  db
    .selectFrom('planned_price as plan')
    .innerJoin('users as planner', 'planner.id', 'plan.planned_by')
    .leftJoin('users as approver', 'approver.id', 'plan.approved_by')
    .selectAll('plan')
    .select(['planner.username as planner', 'approver.username as approver'])
    .$narrowType<Pick<PlannedPrice, 'state'> & { setting: SettingKey }>()

type Row = Awaited<ReturnType<ReturnType<typeof plans>['executeTakeFirstOrThrow']>>

export type StoredPlan = PlannedPrice & { setting: SettingKey }

const toPlan = ({ planner, approver, ...row }: Row): StoredPlan => ({
  ...row,
  starts_at: row.starts_at.toISOString(),
  ends_at: row.ends_at?.toISOString() ?? null,
  planned_by: { id: row.planned_by, username: planner },
  planned_at: row.planned_at.toISOString(),
  approved_by: row.approved_by === null ? null : { id: row.approved_by, username: approver ?? '' },
  started_at: row.started_at?.toISOString() ?? null,
  closed_at: row.closed_at?.toISOString() ?? null,
})

export async function listOpen(db: Db | Tx, settings?: readonly string[]): Promise<StoredPlan[]> {
  const rows = await plans(db)
    .where('plan.state', 'in', OPEN)
    .$if(settings !== undefined, (query) => query.where('plan.setting', 'in', settings as string[]))
    .execute()
  return rows.map(toPlan)
}

export type NewPlan = Pick<PlannedPrice, 'before' | 'after' | 'starts_at' | 'ends_at' | 'reason'> & {
  setting: SettingKey
  plannedBy: string
  approvedBy: string | null
}

/** Undefined when its start has passed. */
export async function insertPlan(
  tx: Tx,
  { setting, before, after, starts_at, ends_at, reason, plannedBy, approvedBy }: NewPlan,
): Promise<StoredPlan | undefined> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO planned_price (setting, before, after, starts_at, ends_at, reason, planned_by, approved_by)
    SELECT ${setting}, ${before}, ${after}, ${starts_at}::timestamptz, ${ends_at}::timestamptz, ${reason},
           ${plannedBy}::bigint, ${approvedBy}::bigint
     WHERE ${starts_at}::timestamptz > clock_timestamp() RETURNING id`.execute(tx)
  return rows[0] && getPlan(tx, rows[0].id)
}

/** One that is there: it was just made, or is locked. */
export async function getPlan(tx: Tx, id: string): Promise<StoredPlan> {
  return toPlan(await plans(tx).where('plan.id', '=', id).executeTakeFirstOrThrow())
}

/** When a plan has to come, or to go back. */
const dueAt = sql<Date>`CASE state WHEN 'planned' THEN starts_at ELSE ends_at END`

/**
 * The settings of which a plan is due: those of one setting come in their order, so that one which fails holds back those behind
 * it, but for no other setting.
 */
export async function listDueSettings(db: Db, isResting: IsResting, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('planned_price')
    .where('state', 'in', OPEN)
    .where(dueAt, '<=', sql<Date>`clock_timestamp()`)
    .where(sql<boolean>`NOT ${isResting(sql`setting`)}`)
    .select('setting')
    .groupBy('setting')
    .orderBy(({ fn }) => fn.min(dueAt))
    .limit(limit)
    .execute()
  return rows.map(({ setting }) => setting)
}

/**
 * The plan of a setting that is due first, locked; what goes back is before what comes at the same moment. Processes wait for
 * each other here and pass over none.
 */
export async function lockDuePlan(
  tx: Tx,
  setting: string,
): Promise<(StoredPlan & { isOver: boolean }) | undefined> {
  const due = await tx
    .selectFrom('planned_price')
    .where('setting', '=', setting as SettingKey)
    .where('state', 'in', OPEN)
    .where(dueAt, '<=', sql<Date>`clock_timestamp()`)
    .select(['id', sql<boolean>`coalesce(ends_at <= clock_timestamp(), false)`.as('isOver')])
    .orderBy(dueAt)
    .orderBy('state')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return due && { ...(await getPlan(tx, due.id)), isOver: due.isOver }
}

/** Locks a plan against its time; undefined when there is none. */
export async function lockPlan(tx: Tx, id: string): Promise<StoredPlan | undefined> {
  const locked = await tx
    .selectFrom('planned_price')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return locked && getPlan(tx, locked.id)
}

/** Stores the next state of a plan, with when its price was changed and when the plan was closed. */
export async function markPlan(
  tx: Tx,
  { id, state: present }: StoredPlan,
  state: Exclude<PlannedPrice['state'], 'planned'>,
): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  const hasCome = present === 'planned' && (state === 'active' || state === 'done')
  await tx
    .updateTable('planned_price')
    .set({
      state,
      ...(hasCome && { started_at: now }),
      ...(state !== 'active' && { closed_at: now }),
    })
    .where('id', '=', id)
    .execute()
}

type Filter = NonNullable<QueryOf<typeof operatorPlannedPrices.list>['filter']>

const matching = ({ id, state, open }: Filter) =>
  allOf([
    id === undefined ? null : sql`plan.id = ANY(${id}::bigint[])`,
    state === undefined ? null : sql`plan.state = ${state}`,
    open ? sql`plan.state IN ('planned', 'active')` : null,
  ])

export async function selectPlans(db: Db, filter: Filter, page: ListPage): Promise<ListRows<PlannedPrice>> {
  const rows = await pageById(plans(db).where(matching(filter)), 'plan.id', page).execute()
  const counted = db.selectFrom('planned_price as plan').where(matching(filter))
  return { total: await countWithinReach(db, counted), rows: rows.map(toPlan) }
}
