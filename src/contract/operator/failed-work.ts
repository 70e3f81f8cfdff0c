import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment } from '../fields.ts'
import { listQuery, storable } from './fields.ts'
import { permitted } from './roles.ts'

const JOB_LETTERS = 60
const SUBJECT_LETTERS = 100

export const failedWorkSchema = z.object({
  /** The job and the subject, with a space between them. */
  id: z.string(),
  /** As the loop is called that does it, in the log too. */
  job: z.string(),
  /** The id of the row that was due, after the kind of row where a job has several; `round of …` where a process cannot do the job at all. */
  subject: z.string(),
  /** How often it was tried since `failing_since`. */
  failures: z.int(),
  /** What went wrong the last time. */
  error: z.string(),
  failing_since: moment,
  retry_at: moment,
})

export type FailedWorkRow = z.output<typeof failedWorkSchema>

export const operatorFailedWork = {
  list: endpoint('GET', '/operator/failed-work', permitted('audit.read'), {
    summary:
      'What was due and failed. Each is tried again, and leaves the list when it is done or not due any more.',
    query: listQuery(
      ['failing_since', 'failures', 'retry_at'],
      { job: z.optional(z.string().check(z.maxLength(JOB_LETTERS), storable)) },
      z.string().check(z.maxLength(JOB_LETTERS + 1 + SUBJECT_LETTERS), storable),
    ),
    answer: z.array(failedWorkSchema),
  }),
}
