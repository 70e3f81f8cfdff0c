import { sql } from 'kysely'
import { formatNumber } from '#contract/format.ts'
import type { DescribedAct, Thing } from '#contract/operator/audit-sentences/parts.ts'
import type { AuditRow } from '#contract/operator/audit.ts'
import type { Db } from '#server/platform/db/database.ts'
import { beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { eraseNothing, type Person, type PersonalPart } from '#server/domain/personal-part.ts'

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

type Named = { id: string; name: string }

type Kind = {
  /** What an id of this kind looks like; rows of older programs may name others. */
  ids: RegExp
  read(db: Db, ids: readonly string[]): Promise<Named[]>
}

const NUMBER = /^[1-9]\d{0,17}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHORT = /^.{1,16}$/s

/** By what things are named in sentences of the trail; each kind is one statement by its key. */
const KINDS: Readonly<Record<string, Kind>> = {
  user: {
    ids: NUMBER,
    read: (db, ids) =>
      db.selectFrom('users').select(['id', 'username as name']).where('id', 'in', ids).execute(),
  },
  server: {
    ids: SHORT,
    read: (db, ids) => db.selectFrom('servers').select(['id', 'name']).where('id', 'in', ids).execute(),
  },
  'ranking-group': {
    ids: NUMBER,
    read: (db, ids) =>
      db.selectFrom('ranking_groups').select(['id', 'name']).where('id', 'in', ids).execute(),
  },
  post: {
    ids: NUMBER,
    read: async (db, ids) =>
      (await db.selectFrom('posts').select(['id', 'title']).where('id', 'in', ids).execute()).map(quoted),
  },
  category: {
    ids: NUMBER,
    read: async (db, ids) =>
      (await db.selectFrom('categories').select(['id', 'title']).where('id', 'in', ids).execute()).map(
        quoted,
      ),
  },
  picture: {
    ids: NUMBER,
    read: async (db, ids) =>
      (await db.selectFrom('picture').select(['id', 'alt as title']).where('id', 'in', ids).execute()).map(
        quoted,
      ),
  },
  tournament: {
    ids: NUMBER,
    read: async (db, ids) =>
      (
        await db.selectFrom('tournaments').select(['id', 'name as title']).where('id', 'in', ids).execute()
      ).map(quoted),
  },
  team: {
    ids: NUMBER,
    read: async (db, ids) =>
      (await db.selectFrom('teams').select(['id', 'name']).where('id', 'in', ids).execute()).map(
        ({ id, name }) => ({ id, name: `đội ${name}` }),
      ),
  },
  delivery: {
    ids: UUID,
    read: async (db, ids) =>
      (
        await db
          .selectFrom('delivery')
          .select(['id', 'amount', 'character_name'])
          .where('id', 'in', ids)
          .execute()
      ).map(({ id, amount, character_name }) => ({
        id,
        name: `lượt giao ${formatNumber(BigInt(amount))} TCoin cho nhân vật ${character_name}`,
      })),
  },
  bank_transaction: {
    ids: NUMBER,
    read: async (db, ids) =>
      (
        await db
          .selectFrom('bank_transaction')
          .select(['id', 'amount', 'bank_ref'])
          .where('id', 'in', ids)
          .execute()
      ).map(({ id, amount, bank_ref }) => ({
        id,
        name: `khoản chuyển ${formatNumber(BigInt(amount))} đ${bank_ref === null ? ` số ${id}` : ` (mã ${bank_ref})`}`,
      })),
  },
  payment_event: {
    ids: NUMBER,
    read: async (db, ids) =>
      (
        await db
          .selectFrom('payment_event')
          .select(['id', 'amount', 'provider'])
          .where('id', 'in', ids)
          .execute()
      ).map(({ id, amount, provider }) => ({
        id,
        name: `thông báo ${formatNumber(BigInt(amount))} đ của ${provider}`,
      })),
  },
  daily_close: {
    ids: NUMBER,
    read: async (db, ids) =>
      (
        await db
          .selectFrom('daily_close')
          .select(['id', 'account_number', sql<string>`to_char(day, 'DD/MM/YYYY')`.as('day')])
          .where('id', 'in', ids)
          .execute()
      ).map(({ id, day, account_number }) => ({
        id,
        name: `ngày ${day} của tài khoản ${account_number}`,
      })),
  },
}

const quoted = ({ id, title }: { id: string; title: string }): Named => ({ id, name: `“${title}”` })

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
    for (const { id, name } of await kind.read(db, ids)) names.set(keyOf({ type, id }), name)
  }
  return (thing) => names.get(keyOf(thing))
}

/**
 * What the trail says of a person. Its rows stay, since they are chained; their personal parts are erased at the very end,
 * by `erasePersonalOf`, when the trail has its row of the erasure.
 */
export const personalTrail: PersonalPart = {
  lists: {
    async acts_of_the_player(db, { id }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT a.seq::text AS cursor, a.at, a.action, p.content
          FROM audit_log a LEFT JOIN audit_personal p ON p.seq = a.seq
         WHERE a.actor_id = ${id}::bigint AND a.actor_kind = 'user' AND a.seq > coalesce(${after}::bigint, 0)
         ORDER BY a.seq LIMIT ${limit}`.execute(db)
      return rows
    },
    async acts_on_the_account(db, { id }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT seq::text AS cursor, at, action FROM audit_log
         WHERE subject_type = 'user' AND subject_id = ${id} AND actor_kind <> 'user'
           AND seq > coalesce(${after}::bigint, 0)
         ORDER BY seq LIMIT ${limit}`.execute(db)
      return rows
    },
  },
  erase: eraseNothing,
}

/** The last statement of an erasure. */
export async function erasePersonalOf(tx: Tx, { id, username, characters }: Person): Promise<void> {
  const names = [username, ...characters.map(({ name }) => name)]
  await sql`SELECT audit_erase_personal_of(${id}::bigint, ${names}::text[])`.execute(tx)
}
