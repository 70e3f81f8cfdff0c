import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { BATCH_ROWS } from '../jobs/loop.ts'
import type { Log } from '../log/log.ts'
import { workOff } from './due-rows.ts'

/** Rows that one plain statement works off. Conditions and order name the columns of the table as `due.column`. */
export type SweptRows = {
  /** As the loop is called that does it. */
  job: string
  table: string
  isDue: RawBuilder<unknown>
  /** What is set in the rows, after which they are not due any more; without it they are deleted. */
  set?: RawBuilder<unknown>
  order?: RawBuilder<unknown>
  limit?: number
  /** Others may hold a row that they change: it is left to a later round. Needs the right to lock rows. */
  skipsLocked?: boolean
}

/**
 * Deletes or changes one batch of rows; true when it did, so that there may be more. One that cannot be changed leaves the others, and is
 * recorded under its table and its place in it (`ctid`), which rows of every table have.
 */
export function sweep(deps: { db: Db; log: Log }, swept: SweptRows): Promise<boolean> {
  const { job, table, isDue, set, order, limit = BATCH_ROWS, skipsLocked = false } = swept
  const rows = sql`${sql.table(table)} due`
  const partition = sql`CASE WHEN due.tableoid <> ${table}::regclass THEN due.tableoid::regclass || ' ' ELSE '' END`
  const place = sql`(${partition} || due.ctid)`
  const act = set ? sql`UPDATE ${rows} SET ${set}` : sql`DELETE FROM ${rows}`
  const workAll = async (ids: readonly string[]) => {
    const places = ids.map((id) => id.slice(id.lastIndexOf(' ') + 1))
    // The rows are found by their places: PostgreSQL does not see that an index has the other condition.
    const areMeant = sql`due.ctid = ANY (${places}::tid[]) AND ${place} = ANY (${[...ids]}::text[])
      AND CASE WHEN ${isDue} THEN true END`
    const changed = await (
      skipsLocked
        ? sql`${act} WHERE due.ctid = ANY (ARRAY(
            SELECT due.ctid FROM ${rows} WHERE ${areMeant} FOR UPDATE SKIP LOCKED)) AND ${place} = ANY (${[...ids]}::text[])`
        : sql`${act} WHERE ${areMeant}`
    ).execute(deps.db)
    return Number(changed.numAffectedRows ?? 0n)
  }
  return workOff(deps, {
    job,
    part: table,
    limit,
    async list(db, isResting) {
      const found = await sql<{ id: string }>`
        SELECT ${place} AS id FROM ${rows} WHERE ${isDue} AND NOT ${isResting(place)}
         ${order ? sql`ORDER BY ${order}` : sql``} LIMIT ${limit}`.execute(db)
      return found.rows.map(({ id }) => id)
    },
    work: async (id) => (await workAll([id])) > 0,
    workAll,
  })
}
