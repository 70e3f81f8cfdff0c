import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isDue } from '../db/due.ts'
import type { Log } from '../log/log.ts'
import { listFailed, removeFailed, recordFailed, RETRY_SECONDS_MAX } from './failed-work.ts'

/** Whether the row of an id failed lately and waits for its next try. */
export type IsResting = (id: RawBuilder<unknown>) => RawBuilder<boolean>

export type DueRows = {
  /** As the loop is called that does it. */
  job: string
  /** How many are read at once. */
  limit: number
  /** Ids of what is due, in the order in which it is done, but for those that `isResting`; at most `limit`. */
  list(db: Db, isResting: IsResting): Promise<string[]>
  /** Does one in a transaction of its own, in which it is locked and looked at again; false when it is not due any more. */
  work(id: string): Promise<boolean>
  /** Does all that were read in one transaction, where that costs less; when it fails, each is done by itself. Answers how many. */
  workAll?(ids: readonly string[]): Promise<number>
}

const isRestingIn =
  (job: string): IsResting =>
  (id) =>
    sql<boolean>`EXISTS (
  SELECT FROM failed_work failed WHERE failed.job = ${job} AND failed.subject = (${id})::text
     AND NOT ${isDue(sql`failed.retry_at`, RETRY_SECONDS_MAX)})`

/**
 * Does what is due, each row by itself: one that fails leaves the others, is recorded for the alarm `failed-work`, and is tried
 * again after a time that grows. Answers whether anything was done, so that there may be more.
 */
export async function workOff({ db, log }: { db: Db; log: Log }, due: DueRows): Promise<boolean> {
  const { job, limit, list, work, workAll } = due
  const ids = await list(db, isRestingIn(job))
  const failed = new Set(await listFailed(db, job))
  if (workAll && ids.length > 1) {
    try {
      const count = await workAll(ids)
      await removeFailed(db, { job, subjects: ids.filter((id) => failed.has(id)) })
      return count > 0
    } catch (error) {
      log.warn({ err: error, job, rows: ids.length }, 'what was due failed together, and is done one by one')
    }
  }
  let done = 0
  for (const id of ids) {
    try {
      if (await work(id)) done += 1
      if (failed.delete(id)) await removeFailed(db, { job, subjects: [id] })
    } catch (error) {
      failed.delete(id)
      log.error({ err: error, job, subject: id }, 'what was due failed, and is tried again later')
      await recordFailed(db, { job, subject: id, error })
    }
  }
  // Whoever was seen to be due no more: somebody else has done it, or it was called off.
  if (ids.length < limit) await removeFailed(db, { job, subjects: [...failed], isRested: true })
  return done > 0
}
