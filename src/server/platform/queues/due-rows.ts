import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isDue } from '../db/due.ts'
import type { Log } from '../log/log.ts'
import { listFailed, mayHaveFailed, removeFailed, recordFailed, RETRY_SECONDS_MAX } from './failed-work.ts'

/** Whether the row of an id failed lately and waits for its next try. */
export type IsResting = (id: RawBuilder<unknown>) => RawBuilder<boolean>

export type ListDue = (db: Db, isResting: IsResting, limit: number) => Promise<string[]>

type DueTable = {
  /** With its table, as `isResting` is asked about it. */
  id: string
  from: RawBuilder<unknown>
  isDue: RawBuilder<boolean>
  order: RawBuilder<unknown>
}

/** Lists the rows of a table that are due. */
export const listDueOf =
  ({ id, from, isDue: condition, order }: DueTable): ListDue =>
  async (db, isResting, limit) => {
    const { rows } = await sql<{ id: string }>`
      SELECT ${sql.ref(id)} AS id FROM ${from} WHERE ${condition} AND NOT ${isResting(sql.ref(id))}
       ORDER BY ${order} LIMIT ${limit}`.execute(db)
    return rows.map((row) => row.id)
  }

export type DueRows = {
  /** As the loop is called that does it. */
  job: string
  /** Of a job that works off rows of several kinds: which these are. What failed is recorded under it. */
  part?: string
  /** How many are read at once. */
  limit: number
  /** Where `work` leases the row: one that failed is not due before the lease ends. */
  leaseSeconds?: number
  /** How many are worked on at once; one without it. */
  parallelMax?: number
  /** Ids of what is due, in the order in which it is done, but for those that `isResting`; at most `limit`. */
  list: ListDue
  /** Does one in a transaction of its own, in which it is locked and looked at again; false when it is not due any more. */
  work(id: string): Promise<boolean>
  /** Does many in one transaction, where that costs less; when it fails, each half is done by itself. Answers how many. */
  workAll?(ids: readonly string[]): Promise<number>
}

/** Whether a row failed lately. */
export const isRestingIn =
  ({
    job,
    leaseSeconds = 0,
    prefix = '',
  }: {
    job: string
    leaseSeconds?: number
    prefix?: string
  }): IsResting =>
  (id) =>
    mayHaveFailed(job)
      ? sql<boolean>`EXISTS (
  SELECT FROM failed_work failed WHERE failed.job = ${job} AND failed.subject = ${prefix} || (${id})::text
     AND NOT ${isDue(sql`failed.retry_at`, Math.max(leaseSeconds, RETRY_SECONDS_MAX))})`
      : sql<boolean>`false`

/**
 * Does what is due, each row by itself: one that fails leaves the others, is recorded for the alarm `failed-work`, and is tried
 * again after a time that grows. Answers whether there may be more.
 */
export async function workOff({ db, log }: { db: Db; log: Log }, due: DueRows): Promise<boolean> {
  const { job, limit, leaseSeconds = 0, parallelMax = 1, work, workAll } = due
  const prefix = due.part === undefined ? '' : `${due.part} `
  const subjectOf = (id: string) => prefix + id
  const ids = await due.list(db, isRestingIn({ job, leaseSeconds, prefix }), limit)
  const known = mayHaveFailed(job) ? await listFailed(db, job) : []
  const failed = new Set(known.filter((subject) => subject.startsWith(prefix)))
  let done = 0
  let failures = 0

  const workOne = async (id: string) => {
    const subject = subjectOf(id)
    try {
      if (await work(id)) done += 1
    } catch (error) {
      failures += 1
      failed.delete(subject)
      log.error({ err: error, job, subject }, 'what was due failed, and is tried again later')
      return recordFailed(db, { job, subject, error, leaseSeconds })
    }
    if (failed.delete(subject)) await removeFailed(db, { job, subjects: [subject] })
  }

  const workEach = async (some: readonly string[]) => {
    for (let from = 0; from < some.length; from += parallelMax)
      await Promise.all(some.slice(from, from + parallelMax).map(workOne))
  }

  const workTogether = async (
    all: NonNullable<DueRows['workAll']>,
    some: readonly string[],
  ): Promise<void> => {
    if (some.length < 2) return workEach(some)
    try {
      done += await all(some)
    } catch (error) {
      log.warn({ err: error, job, rows: some.length }, 'what was due failed together, and is done in halves')
      const half = Math.ceil(some.length / 2)
      await workTogether(all, some.slice(0, half))
      return workTogether(all, some.slice(half))
    }
    const subjects = some.map(subjectOf).filter((subject) => failed.delete(subject))
    await removeFailed(db, { job, subjects })
  }

  await (workAll ? workTogether(workAll.bind(due), ids) : workEach(ids))
  // Whoever was seen to be due no more: somebody else has done it, or it was called off.
  if (ids.length < limit) await removeFailed(db, { job, subjects: [...failed], isRested: true })
  // Those that failed rest, so that the next have their turn.
  return done > 0 || (failures > 0 && ids.length === limit)
}
