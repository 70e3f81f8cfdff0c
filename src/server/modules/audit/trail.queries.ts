import { type RawBuilder, sql } from 'kysely'
import { formatNumber } from '#contract/format.ts'
import type { DescribedAct, Thing } from '#contract/operator/audit-sentences/parts.ts'
import type { AuditRow } from '#contract/operator/audit.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countWithinReach, pageById } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { inPages } from '#server/domain/personal-part.ts'

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

// Moments are nearly in the order of `seq`: a time is a range of the primary key, and the rows at its edges are compared.
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

export async function selectTrail(db: Db, filter: TrailFilter, page: ListPage): Promise<StoredAct[]> {
  const ids = pageById(matching(db, filter).select('entry.seq'), 'entry.seq', page)
  const rows = await named(db).where('entry.seq', 'in', ids).orderBy('entry.seq', page.order).execute()
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

type NamedThing = { id: string; name: string; amount?: string }

type Kind = {
  /** The form of ids of this kind; rows of older programs may have others. */
  ids: RegExp
  type: 'bigint' | 'uuid' | 'text'
  /** The columns of a thing, FROM its table. */
  from: RawBuilder<unknown>
  /** The name in a sentence; that of the row when left out. */
  nameOf?: (thing: NamedThing) => string
}

const numbered = (from: RawBuilder<unknown>, nameOf?: Kind['nameOf']): Kind => ({
  ids: /^[1-9]\d{0,17}$/,
  type: 'bigint',
  from,
  ...(nameOf && { nameOf }),
})

const vnd = ({ amount }: NamedThing) => `${formatNumber(BigInt(amount ?? 0))} đ`

/** By what things are named in sentences of the trail; each kind is one statement by its key. */
const KINDS: Readonly<Record<string, Kind>> = {
  user: numbered(sql`id, username AS name FROM users`),
  server: { ids: /^.{1,16}$/s, type: 'text', from: sql`id, name FROM servers` },
  'ranking-group': numbered(sql`id, name FROM ranking_groups`),
  class: {
    ids: /^\d{1,6}$/,
    type: 'text',
    from: sql`id, name FROM (SELECT code AS id, name FROM game_name WHERE kind = 'class') AS class`,
  },
  budget: numbered(sql`id, 'ngân sách “' || title || '”' AS name FROM budget`),
  promotion: numbered(sql`id, 'khuyến mãi “' || title || '”' AS name FROM promotion`),
  milestones: numbered(sql`id, 'mốc nạp “' || title || '”' AS name FROM milestone_program`),
  'gift-codes': numbered(sql`id, 'đợt mã quà “' || title || '”' AS name FROM gift_code_batch`),
  post: numbered(sql`id, '“' || title || '”' AS name FROM posts`),
  category: numbered(sql`id, '“' || title || '”' AS name FROM categories`),
  picture: numbered(sql`id, '“' || alt || '”' AS name FROM picture`),
  tournament: numbered(sql`id, '“' || name || '”' AS name FROM tournaments`),
  team: numbered(sql`id, 'đội ' || name AS name FROM teams`),
  delivery: {
    ids: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    type: 'uuid',
    from: sql`id, character_name AS name, amount FROM delivery`,
    nameOf: ({ name, amount }) => `lượt giao ${formatNumber(BigInt(amount ?? 0))} TCoin cho nhân vật ${name}`,
  },
  bank_transaction: numbered(
    sql`id, coalesce('(mã ' || bank_ref || ')', 'số ' || id) AS name, amount FROM bank_transaction`,
    (transfer) => `khoản chuyển ${vnd(transfer)} ${transfer.name}`,
  ),
  payment_event: numbered(
    sql`id, provider AS name, amount FROM payment_event`,
    (event) => `thông báo ${vnd(event)} của ${event.name}`,
  ),
  daily_close: numbered(
    sql`id, 'ngày ' || to_char(day, 'DD/MM/YYYY') || ' của tài khoản ' || account_number AS name FROM daily_close`,
  ),
}

/** Far more than a page of sentences names; what is beyond is shown by its number. */
const NAMES_MAX = 1_000

const keyOf = ({ type, id }: Thing): string => `${type} ${id}`

/** The present names of things, by one statement for each kind that is there. */
export async function readNames(
  db: Db,
  things: readonly Thing[],
): Promise<(thing: Thing) => string | undefined> {
  const names = new Map<string, string>()
  for (const [type, ofKind] of Map.groupBy(things, (thing) => thing.type)) {
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
    if (kind === undefined) continue
    const ids = [...new Set(ofKind.map(({ id }) => id))].filter((id) => kind.ids.test(id)).slice(0, NAMES_MAX)
    if (ids.length === 0) continue
    const { rows } = await sql<NamedThing>`
      SELECT ${kind.from} WHERE id = ANY(${ids}::${sql.raw(kind.type)}[])`.execute(db)
    for (const row of rows) names.set(keyOf({ type, id: row.id }), kind.nameOf?.(row) ?? row.name)
  }
  return (thing) => names.get(keyOf(thing))
}

export const exportActsOfPlayer = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT a.seq::text AS cursor, a.at, a.action, p.content
      FROM audit_log a LEFT JOIN audit_personal p ON p.seq = a.seq
     WHERE a.actor_id = ${id}::bigint AND a.actor_kind = 'user' AND a.seq > coalesce(${after}::bigint, 0)
     ORDER BY a.seq LIMIT ${limit}`,
)

export const exportActsOnAccount = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT seq::text AS cursor, at, action FROM audit_log
     WHERE subject_type = 'user' AND subject_id = ${id} AND actor_kind <> 'user'
       AND seq > coalesce(${after}::bigint, 0)
     ORDER BY seq LIMIT ${limit}`,
)

export async function erasePersonalParts(tx: Tx, userId: string, names: readonly string[]): Promise<void> {
  await sql`SELECT audit_erase_personal_of(${userId}::bigint, ${names}::text[])`.execute(tx)
}
