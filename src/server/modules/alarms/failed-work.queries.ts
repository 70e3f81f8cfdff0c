import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type { operatorFailedWork } from '#contract/operator/failed-work.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, countRows } from '#server/platform/db/list.ts'
import type { ListPage } from '#server/platform/http/list.ts'

export type FailedWorkFilter = NonNullable<QueryOf<typeof operatorFailedWork.list>['filter']>

export type FailedWorkPage = ListPage & { sort: 'failing_since' | 'failures' | 'retry_at' }

/** The job and the subject of a row, as one id. */
export const FAILED_WORK_ID = sql<string>`job || ' ' || subject`

/** A few rows, if any: each is done or recorded again within minutes. */
export async function selectFailedWork(
  db: Db,
  { id, job }: FailedWorkFilter,
  { sort, order, from, to }: FailedWorkPage,
) {
  const matching = db
    .selectFrom('failed_work')
    .where(
      allOf([
        id === undefined ? null : sql`${FAILED_WORK_ID} = ANY (${id}::text[])`,
        job === undefined ? null : sql`job = ${job}`,
      ]),
    )
  const rows = await matching
    .select(['job', 'subject', 'failures', 'error', 'failing_since', 'retry_at'])
    .select(FAILED_WORK_ID.as('id'))
    .orderBy(sort, order)
    .orderBy('job', order)
    .orderBy('subject', order)
    .offset(from)
    .limit(to - from + 1)
    .execute()
  return { total: await countRows(matching), rows }
}
