import { sql } from 'kysely'
import type { BodyOf, QueryOf } from '#contract/endpoint.ts'
import type { Milestones, operatorMilestones } from '#contract/operator/promotions.ts'
import { milestoneSentence } from '#contract/rewards/milestone-rules.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, countWithinReach, pageById } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'

const programs = (db: Db | Tx) =>
  db
    .selectFrom('milestone_program as p')
    .innerJoin('users as maker', 'maker.id', 'p.made_by')
    .selectAll('p')
    .select('maker.username as maker')
    .select(
      sql<string | null>`(SELECT id FROM proposal
        WHERE kind = 'milestones' AND subject = p.id::text AND state = 'waiting')`.as('proposal_id'),
    )
    .select(
      sql<Milestones['steps']>`(
        SELECT json_agg(json_build_object('id', s.id::text, 'at', s.at, 'goods', s.goods, 'claims', s.claims) ORDER BY s.at)
          FROM milestone_step s WHERE s.program_id = p.id)`.as('steps'),
    )
    .$narrowType<Pick<Milestones, 'state'>>()

type Row = Awaited<ReturnType<ReturnType<typeof programs>['executeTakeFirstOrThrow']>>

function toProgram({ maker, made_by, stopped_by: _by, ...row }: Row): Milestones {
  const terms = {
    steps: row.steps,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    claims_until: row.claims_until.toISOString(),
    claims_max: row.claims_max,
  }
  return {
    ...row,
    ...terms,
    sentence: milestoneSentence(terms),
    made_by: { id: made_by, username: maker },
    made_at: row.made_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    stopped_at: row.stopped_at?.toISOString() ?? null,
  }
}

type Filter = NonNullable<QueryOf<typeof operatorMilestones.list>['filter']>

const matching = ({ id, state }: Filter) =>
  allOf([
    id === undefined ? null : sql`p.id = ANY(${id}::bigint[])`,
    state === undefined ? null : sql`p.state = ${state}`,
  ])

export async function selectPrograms(db: Db, filter: Filter, page: ListPage): Promise<ListRows<Milestones>> {
  const rows = await pageById(programs(db).where(matching(filter)), 'p.id', page).execute()
  const counted = db.selectFrom('milestone_program as p').where(matching(filter))
  return { total: () => countWithinReach(db, counted), rows: rows.map(toProgram) }
}

export async function findProgram(db: Db | Tx, id: string): Promise<Milestones | undefined> {
  const row = await programs(db).where('p.id', '=', id).executeTakeFirst()
  return row && toProgram(row)
}

type Written = Omit<BodyOf<typeof operatorMilestones.plan>, 'reason' | 'start' | 'claims_max'> & {
  claims_max: number
}

export async function insertProgram(
  tx: Tx,
  { steps, madeBy, ...program }: Written & { madeBy: string },
): Promise<string> {
  const { id } = await tx
    .insertInto('milestone_program')
    .values({ ...program, made_by: madeBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertSteps(tx, id, steps)
  return id
}

async function insertSteps(tx: Tx, id: string, steps: Written['steps']): Promise<void> {
  await tx
    .insertInto('milestone_step')
    .values(steps.map(({ at, goods }) => ({ program_id: id, at, goods: JSON.stringify(goods) })))
    .execute()
}

/** Gives a programme that was never started other terms. */
export async function updateProgram(
  tx: Tx,
  { id, steps, ...program }: Written & { id: string },
): Promise<void> {
  await tx
    .updateTable('milestone_program')
    .set({ ...program, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('milestone_step').where('program_id', '=', id).execute()
  await insertSteps(tx, id, steps)
}

type LockedProgram = { state: Milestones['state']; isOver: boolean }

export async function lockProgram(tx: Tx, id: string): Promise<LockedProgram | undefined> {
  const { rows } = await sql<LockedProgram>`
    SELECT state, ends_at <= clock_timestamp() AS "isOver" FROM milestone_program
     WHERE id = ${id}::bigint FOR NO KEY UPDATE`.execute(tx)
  return rows[0]
}

/** Whether another programme runs within its time. Of two that are started at once a constraint refuses the second one. */
export async function overlapsRunning(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM milestone_program mine JOIN milestone_program other
        ON other.state = 'running' AND other.id <> mine.id
       AND tstzrange(other.starts_at, other.claims_until) && tstzrange(mine.starts_at, mine.claims_until)
     WHERE mine.id = ${id}::bigint LIMIT 1`.execute(tx)
  return rows.length > 0
}

export async function markRunning(tx: Tx, id: string): Promise<void> {
  await sql`
    UPDATE milestone_program SET state = 'running', started_at = clock_timestamp() WHERE id = ${id}::bigint`.execute(
    tx,
  )
}

export async function markStopped(tx: Tx, { id, by }: { id: string; by: string }): Promise<void> {
  await sql`
    UPDATE milestone_program SET state = 'stopped', stopped_at = clock_timestamp(), stopped_by = ${by}::bigint
     WHERE id = ${id}::bigint`.execute(tx)
}
