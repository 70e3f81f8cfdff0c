import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isDue, isPast } from '../db/due.ts'

/** The table `failed_work`: which rows a job could not work off, shared by all processes. */

const RETRY_SECONDS = 10
/** No longer, so that what failed with a database that was away is done a minute after it is back. */
export const RETRY_SECONDS_MAX = 60
const ERROR_LETTERS = 300

export async function listFailed(db: Db, job: string): Promise<string[]> {
  const rows = await db.selectFrom('failed_work').select('subject').where('job', '=', job).execute()
  return rows.map(({ subject }) => subject)
}

/** The time until the next try doubles with each failure, up to a minute. */
export async function recordFailed(
  db: Db,
  { job, subject, error }: { job: string; subject: string; error: unknown },
): Promise<void> {
  const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LETTERS)
  await sql`
    INSERT INTO failed_work AS failed (job, subject, failures, error, retry_at)
    VALUES (${job}, ${subject}, 1, ${text}, clock_timestamp() + make_interval(secs => ${RETRY_SECONDS}))
    ON CONFLICT (job, subject) DO UPDATE SET failures = failed.failures + 1, error = excluded.error,
      retry_at = clock_timestamp() + make_interval(
        secs => least(${RETRY_SECONDS} * power(2, least(failed.failures, 20)), ${RETRY_SECONDS_MAX}))`.execute(
    db,
  )
}

/** `isRested`: only those whose time to try again has come. */
export async function removeFailed(
  db: Db,
  { job, subjects, isRested = false }: { job: string; subjects: readonly string[]; isRested?: boolean },
): Promise<void> {
  if (subjects.length === 0) return
  await sql`
    DELETE FROM failed_work WHERE job = ${job} AND subject = ANY (${subjects}::text[])
       AND (NOT ${isRested} OR ${isDue(sql`retry_at`, RETRY_SECONDS_MAX)})`.execute(db)
}

/** What a loop's failure as a whole is recorded under; the process may be one of many. */
const roundOf = (process: string) => `round of ${process}`

/** What fails is recorded again at its next try; what was not for so long went by without one, or its process has ended. */
const KEPT_SECONDS = 300

/** Records which loops of a process fail as a whole; removes those that do not any more, and whatever was not recorded again. */
export async function recordFailingLoops(
  db: Db,
  { process, failing }: { process: string; failing: ReadonlyMap<string, unknown> },
): Promise<void> {
  const subject = roundOf(process)
  for (const [job, error] of failing) await recordFailed(db, { job, subject, error })
  await sql`
    DELETE FROM failed_work
     WHERE (subject = ${subject} AND NOT job = ANY (${[...failing.keys()]}::text[]))
        OR ${isPast(sql`retry_at`, KEPT_SECONDS)}`.execute(db)
}
