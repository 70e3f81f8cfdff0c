import { sql, type RawBuilder, type SelectQueryBuilder, type StringReference } from 'kysely'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import type { Db } from './database.ts'

/** All of the conditions that are there. */
export function allOf(conditions: readonly (RawBuilder<unknown> | null)[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== null)
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(given, sql` AND `)}`
}

/** How many rows a query has. */
export async function countRows<Database, Tables extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, Tables, Row>,
): Promise<number> {
  const counted = rows.clearSelect().select(sql<string>`count(*)`.as('count'))
  const { count } = await counted.$castTo<{ count: string }>().executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether a query has any row. */
export async function hasRows<Database, Tables extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, Tables, Row>,
): Promise<boolean> {
  const found = await rows
    .select(sql`1`.as('one'))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Counts no further than a list reaches: these tables only grow. */
export async function countWithinReach<Database, Tables extends keyof Database, Row>(
  db: Db,
  rows: SelectQueryBuilder<Database, Tables, Row>,
): Promise<number> {
  const counted = rows
    .clearSelect()
    .select(sql<number>`1`.as('one'))
    .limit(LIST_REACH_MAX)
  const { rows: counts } = await sql<{ count: string }>`
    SELECT count(*) AS count FROM ${counted} AS counted`.execute(db)
  return Number(counts[0]?.count)
}

/** How a row compares to the one that it is listed behind. */
export const beyond = (order: 'asc' | 'desc') => sql.raw(order === 'asc' ? '>' : '<')

type Page = { order: 'asc' | 'desc'; from: number; to: number; after?: string | undefined }

/** One page of the rows in the order of their ids. */
export const pageById = <Database, Tables extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, Tables, Row>,
  id: StringReference<Database, Tables>,
  { order, from, to, after }: Page,
) =>
  rows
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`${sql.ref(id)} ${beyond(order)} ${after}::bigint`),
    )
    .orderBy(sql.ref(id), order)
    .offset(from)
    .limit(to - from + 1)
