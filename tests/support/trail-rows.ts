import type { TestApp } from './app.ts'

type Filter = { action?: string; subject?: { type: string; id?: string }; id?: string }

/** Rows of the audit trail with their personal parts, the oldest first. `id` is that of the subject. */
export async function trailRows({ db }: TestApp, { action, subject, id = subject?.id }: Filter) {
  return db
    .selectFrom('audit_log')
    .leftJoin('audit_personal', 'audit_personal.seq', 'audit_log.seq')
    .select(['action', 'actor_kind', 'actor_id', 'subject_id', 'reason', 'details', 'request_id'])
    .select('audit_personal.content as personal')
    .$if(action !== undefined, (query) => query.where('action', '=', action as string))
    .$if(subject !== undefined, (query) => query.where('subject_type', '=', subject?.type as string))
    .$if(id !== undefined, (query) => query.where('subject_id', '=', id as string))
    .orderBy('audit_log.seq')
    .execute()
}

/** The newest of them. */
export const lastTrailRow = async (test: TestApp, filter: Filter) => (await trailRows(test, filter)).at(-1)
