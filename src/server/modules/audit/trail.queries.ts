import { sql } from 'kysely'
import type { AuditRow } from '#contract/operator/audit.ts'
import type { DescribedAct } from '#contract/operator/audit-sentences/parts.ts'
import type { Db } from '#server/platform/db/database.ts'
import { beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { ListPage } from '#server/platform/http/list.ts'

export type TrailFilter = {
  id?: readonly string[] | undefined
  actorId?: string | undefined
  action?: string | undefined
  subjectType?: string | undefined
  subjectId?: string | undefined
  requestId?: string | undefined
  /** From this moment on, and before that one. */
  since?: Date | undefined
  until?: Date | undefined
}

const named = (db: Db) =>
  db
    .selectFrom('audit_log as entry')
    .leftJoin('users', 'users.id', 'entry.actor_id')
    .select([
      'entry.seq',
      'entry.at',
      'entry.actor_kind',
      'entry.actor_id',
      'users.username',
      'entry.action',
      'entry.subject_type',
      'entry.subject_id',
      'entry.reason',
      'entry.details',
      'entry.request_id',
    ])
    .$narrowType<{ actor_kind: AuditRow['actor_kind'] }>()

/** A row as it is stored, without its sentence. */
export type StoredAct = Omit<AuditRow, keyof DescribedAct>

type Row = Awaited<ReturnType<ReturnType<typeof named>['executeTakeFirstOrThrow']>>

const toStoredAct = (row: Row): StoredAct => ({
  id: row.seq,
  at: row.at.toISOString(),
  actor_kind: row.actor_kind,
  actor: row.actor_id === null ? null : { id: row.actor_id, username: row.username ?? '' },
  action: row.action,
  subject: { type: row.subject_type, id: row.subject_id },
  reason: row.reason,
  details: row.details as AuditRow['details'],
  request_id: row.request_id,
})

/** Rows written at the same moment may have their numbers in another order than their times; never so many of them. */
const AT_ONCE_MAX = 1_000

// Moments are nearly in the order of `seq`: a time is a range of the primary key, and what is at its edges is looked at.
const firstSince = (moment: Date, margin: number) => sql<string>`coalesce(
  (SELECT seq + ${margin}::integer FROM audit_log WHERE at >= ${moment} ORDER BY at, seq LIMIT 1), 9223372036854775807)`
const matching = (db: Db, filter: TrailFilter) =>
  db
    .selectFrom('audit_log as entry')
    .$if(filter.id !== undefined, (query) => query.where('entry.seq', 'in', filter.id as string[]))
    .$if(filter.actorId !== undefined, (query) =>
      query.where('entry.actor_id', '=', filter.actorId as string),
    )
    .$if(filter.action !== undefined, (query) => query.where('entry.action', '=', filter.action as string))
    .$if(filter.subjectType !== undefined, (query) =>
      query.where('entry.subject_type', '=', filter.subjectType as string),
    )
    .$if(filter.subjectId !== undefined, (query) =>
      query.where('entry.subject_id', '=', filter.subjectId as string),
    )
    .$if(filter.requestId !== undefined, (query) =>
      query.where('entry.request_id', '=', filter.requestId as string),
    )
    .$if(filter.since !== undefined, (query) =>
      query
        .where('entry.seq', '>=', firstSince(filter.since as Date, -AT_ONCE_MAX))
        .where('entry.at', '>=', filter.since as Date),
    )
    .$if(filter.until !== undefined, (query) =>
      query
        .where('entry.seq', '<', firstSince(filter.until as Date, AT_ONCE_MAX))
        .where('entry.at', '<', filter.until as Date),
    )

export async function selectTrail(
  db: Db,
  filter: TrailFilter,
  { order, from, to, after }: ListPage,
): Promise<StoredAct[]> {
  const page = matching(db, filter)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`entry.seq ${beyond(order)} ${after}::bigint`),
    )
    .select('entry.seq')
    .orderBy('entry.seq', order)
    .offset(from)
    .limit(to - from + 1)
  const rows = await named(db).where('entry.seq', 'in', page).orderBy('entry.seq', order).execute()
  return rows.map(toStoredAct)
}

export async function countTrail(db: Db, filter: TrailFilter): Promise<number> {
  return countWithinReach(db, matching(db, filter))
}

/** The id of a user by name; undefined when nobody has it. */
export async function findActorId(db: Db, username: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', username.toLowerCase())
    .executeTakeFirst()
  return row?.id
}
