import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isDue } from '../db/due.ts'
import type { Log } from '../log/log.ts'
import { count } from '../metrics/metrics.ts'

/** The table `failed_work`: which rows a job could not work off, shared by all processes. */

const RETRY_SECONDS = 10
/** No longer, so that what failed with a database that was away is done a minute after it is back. */
export const RETRY_SECONDS_MAX = 60
/** The longest that anything rests: what is leased for as long as its lease, which is less than this. */
const REST_SECONDS_MAX = 3_600
/** As long as the columns allow. */
const ERROR_LETTERS = 300
const SUBJECT_LETTERS = 100

/** When each job was last known to have failed work: all others are spared the look at the table. */
const jobsWithFailures = new Map<string, number>()

export const mayHaveFailed = (job: string): boolean => jobsWithFailures.has(job)

export async function listFailed(db: Db, job: string): Promise<string[]> {
  const rows = await db.selectFrom('failed_work').select('subject').where('job', '=', job).execute()
  return rows.map(({ subject }) => subject)
}

type Failure = {
  job: string
  subject: string
  error: unknown
  /** How long it is leased: it is not due before. */
  leaseSeconds?: number | undefined
}

/** What PostgreSQL stores: no NUL, no half of a letter. */
const storable = (text: string, lettersMax: number) =>
  text.replaceAll('\u0000', '').slice(0, lettersMax).toWellFormed()

/** The time until the next try doubles with each failure, up to a minute. */
export async function recordFailed(db: Db, failure: Failure): Promise<void> {
  const { job } = failure
  count('portal_job_failures_total', { loop: job })
  jobsWithFailures.set(job, performance.now())
  await storeFailure(db, failure)
}

async function storeFailure(db: Db, { job, subject, error, leaseSeconds = 0 }: Failure): Promise<void> {
  const text = storable(error instanceof Error ? error.message : String(error), ERROR_LETTERS)
  await sql`
    INSERT INTO failed_work AS failed (job, subject, failures, error, retry_at)
    VALUES (${job}, ${storable(subject, SUBJECT_LETTERS)}, 1, ${text},
            clock_timestamp() + make_interval(secs => ${Math.max(RETRY_SECONDS, leaseSeconds)}))
    ON CONFLICT (job, subject) DO UPDATE SET failures = failed.failures + 1, error = excluded.error,
      retry_at = clock_timestamp() + make_interval(secs => greatest(${leaseSeconds}::double precision,
        least(${RETRY_SECONDS} * power(2, least(failed.failures, 20)), ${RETRY_SECONDS_MAX})))`.execute(db)
}

type Subject = Omit<Failure, 'error'>

/** Works on what is leased; a failure is recorded instead of thrown. */
export async function tryLeased(
  { db, log }: { db: Db; log: Log },
  { job, subject, leaseSeconds }: Subject,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.error({ err: error, job, subject }, 'what was due failed, and is tried again later')
    return recordFailed(db, { job, subject, error, leaseSeconds })
  }
  if (mayHaveFailed(job)) await removeFailed(db, { job, subjects: [subject] })
}

/** `isRested`: only those whose time to try again has come. */
export async function removeFailed(
  db: Db,
  { job, subjects, isRested = false }: { job: string; subjects: readonly string[]; isRested?: boolean },
): Promise<void> {
  if (subjects.length === 0) return
  await sql`
    DELETE FROM failed_work WHERE job = ${job} AND subject = ANY (${subjects}::text[])
       AND (NOT ${isRested} OR ${isDue(sql`retry_at`, REST_SECONDS_MAX)})`.execute(db)
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
  for (const [job, error] of failing) await storeFailure(db, { job, subject, error })
  await sql`
    DELETE FROM failed_work
     WHERE (subject = ${subject} AND NOT job = ANY (${[...failing.keys()]}::text[]))
        OR ${isDue(sql`retry_at + make_interval(secs => ${KEPT_SECONDS})`, REST_SECONDS_MAX + KEPT_SECONDS)}`.execute(
    db,
  )
}

/** Learns which jobs have failed work, from whichever process it is; answers those of which some is to be tried again now. */
export async function readFailures(db: Db): Promise<string[]> {
  const readAt = performance.now()
  const { rows } = await sql<{ job: string; isDue: boolean }>`
    SELECT job, bool_or(${isDue(sql`retry_at`, REST_SECONDS_MAX)}) AS "isDue" FROM failed_work
     WHERE NOT starts_with(subject, ${roundOf('')}) GROUP BY job`.execute(db)
  for (const [job, knownAt] of jobsWithFailures) if (knownAt < readAt) jobsWithFailures.delete(job)
  for (const { job } of rows) jobsWithFailures.set(job, readAt)
  return rows.flatMap(({ job, isDue }) => (isDue ? [job] : []))
}
