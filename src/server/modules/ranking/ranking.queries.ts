import { sql, type Insertable } from 'kysely'
import type { GroupFields, OperatorGroup } from '#contract/operator/groups.ts'
import type { RankingRow } from '#contract/ranking.ts'
import { contentChanges } from '#server/domain/content.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'
import type { Candidate, Entry } from './ranking.rules.ts'

/** More tabs than a page could show; a bound, not a page. */
const GROUPS_MAX = 50

type GroupRow = {
  id: string
  name: string
  board: string | null
  has_board_name: boolean
  description: string
  value_name: string
  server_id: string | null
}

export async function selectGroups(db: Db): Promise<GroupRow[]> {
  return db
    .selectFrom('ranking_groups')
    .select(['id', 'name', 'board', 'has_board_name', 'description', 'value_name', 'server_id'])
    .orderBy('position')
    .orderBy('id')
    .limit(GROUPS_MAX)
    .execute()
}

/** A row of the snapshot; `user_id` is null where the portal knows no player. */
type StandingEntry = Omit<RankingRow, 'is_mine' | 'class_name' | 'class_short_name' | 'head_name'> & {
  user_id: string | null
}

/** `takenAt` is null before the first snapshot. */
type Standing = { takenAt: Date | null; entries: StandingEntry[] }

type RawEntry = { taken_at: Date | null } & (
  | { rank: null }
  | (Omit<StandingEntry, 'value'> & { value: string })
)

/** Who stands on the podium; they and the player are shown with a portrait. */
const PODIUM = 3

type StandingOf = { groupId: string; userId: string; serverId?: string | undefined; rows: number }

/**
 * The first rows of a group's snapshot, or of one server in it, and the player's best one, by rank; undefined when there is
 * no such group. One statement, so that a reader sees either the old snapshot or the new one.
 */
export async function selectStanding(
  db: Db,
  { groupId, userId, serverId, rows }: StandingOf,
): Promise<Standing | undefined> {
  const columns = sql`user_id, server_id, name, value, class_id, level`
  const ofGroup = sql`group_id = g.id ${serverId === undefined ? sql`` : sql`AND server_id = ${serverId}`}`
  // Ranks of all servers have gaps on each of them.
  const place =
    serverId === undefined
      ? sql`own.rank`
      : sql`(SELECT count(*)::integer FROM ranking_entries WHERE ${ofGroup} AND rank <= own.rank)`
  const answer = await sql<RawEntry>`
    SELECT s.taken_at, e.*, portrait.head
      FROM ranking_groups g
      LEFT JOIN ranking_snapshots s ON s.group_id = g.id
      LEFT JOIN LATERAL (
        (SELECT ${serverId === undefined ? sql`rank` : sql`(row_number() OVER (ORDER BY rank))::integer AS rank`}, ${columns}
           FROM ranking_entries WHERE ${ofGroup} ORDER BY ranking_entries.rank LIMIT ${rows})
        UNION
        (SELECT ${place}, ${columns}
           FROM (SELECT * FROM ranking_entries
                  WHERE ${ofGroup} AND user_id = ${userId}::bigint ORDER BY rank LIMIT 1) own)
      ) e ON true
      LEFT JOIN LATERAL (
        SELECT head FROM game_character c
         WHERE (e.rank <= ${PODIUM} OR e.user_id = ${userId}::bigint)
           AND c.user_id = e.user_id AND c.server_id = e.server_id AND c.name = e.name LIMIT 1
      ) portrait ON true
     WHERE g.id = ${groupId}::bigint
     ORDER BY e.rank`.execute(db)
  const [first] = answer.rows
  if (first === undefined) return undefined
  return {
    takenAt: first.taken_at,
    entries: answer.rows.flatMap((row) =>
      row.rank === null ? [] : [{ ...row, value: parseCoins(row.value) }],
    ),
  }
}

export async function insertGroups(
  tx: Tx,
  groups: readonly Insertable<DB['ranking_groups']>[],
): Promise<void> {
  await tx.insertInto('ranking_groups').values(groups).execute()
}

const described = (db: Db | Tx) =>
  db
    .selectFrom('ranking_groups')
    .leftJoin('ranking_snapshots', 'ranking_snapshots.group_id', 'ranking_groups.id')
    .select([
      'ranking_groups.id',
      'name',
      'description',
      'source',
      'board',
      'has_board_name',
      'value_name',
      'server_id',
      'position',
      'taken_at',
      'ranking_groups.updated_at',
    ])
    .$narrowType<{ source: OperatorGroup['source'] }>()

type Row = Awaited<ReturnType<ReturnType<typeof described>['executeTakeFirstOrThrow']>>

const toGroup = (row: Row): OperatorGroup => ({
  ...row,
  taken_at: row.taken_at?.toISOString() ?? null,
  updated_at: row.updated_at.toISOString(),
})

export async function selectGroupPage(
  db: Db,
  ids: readonly string[] | undefined,
  { order, from, to }: ListPage,
): Promise<ListRows<OperatorGroup>> {
  const matching = described(db).$if(ids !== undefined, (query) =>
    query.where('ranking_groups.id', 'in', ids as string[]),
  )
  const rows = await matching
    .orderBy('position', order)
    .orderBy('ranking_groups.id', order)
    .offset(from)
    .limit(to - from + 1)
    .execute()
  return { total: await countRows(matching), rows: rows.map(toGroup) }
}

async function getGroup(tx: Tx, id: string): Promise<OperatorGroup> {
  return toGroup(await described(tx).where('ranking_groups.id', '=', id).executeTakeFirstOrThrow())
}

/** Locks a group before it is changed. Throws NOT_FOUND. */
export async function lockGroup(tx: Tx, id: string): Promise<OperatorGroup> {
  const groups = tx.selectFrom('ranking_groups').select('id').where('id', '=', id).forUpdate()
  await groups.executeTakeFirstOrThrow(notFound)
  return getGroup(tx, id)
}

export async function insertGroup(tx: Tx, fields: GroupFields): Promise<OperatorGroup> {
  const { id } = await tx
    .insertInto('ranking_groups')
    .values(fields)
    .returning('id')
    .executeTakeFirstOrThrow()
  return getGroup(tx, id)
}

export async function updateGroup(tx: Tx, id: string, fields: GroupFields): Promise<OperatorGroup> {
  await tx
    .updateTable('ranking_groups')
    .set({ ...fields, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
  return getGroup(tx, id)
}

/** Removes the standings: the next round of the job reads new ones. */
export async function outdateSnapshot(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('ranking_entries').where('group_id', '=', id).execute()
  await tx
    .updateTable('ranking_snapshots')
    .set({ taken_at: sql<Date>`to_timestamp(0)` })
    .where('group_id', '=', id)
    .execute()
}

/** With its standings, which belong to it. */
export async function deleteGroup(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('ranking_groups').where('id', '=', id).execute()
}

export async function hasServer(tx: Tx, id: string): Promise<boolean> {
  return (await tx.selectFrom('servers').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export type DueGroup = { id: string; serverId: string | null } & (
  | { source: 'game'; board: string }
  | { source: 'recharge'; board: null }
)

/** Claims a group whose snapshot is old, if there is one; what another worker has claimed is left to it. */
export async function claimDueGroup(
  db: Db,
  { takenBefore, claimSeconds }: { takenBefore: Date; claimSeconds: number },
): Promise<DueGroup | undefined> {
  const { rows } = await sql<DueGroup>`
    UPDATE ranking_groups g SET claimed_until = now() + make_interval(secs => ${claimSeconds})
      FROM (
        SELECT due.id FROM ranking_groups due LEFT JOIN ranking_snapshots s ON s.group_id = due.id
         WHERE (s.taken_at IS NULL OR s.taken_at < ${takenBefore})
           AND (due.claimed_until IS NULL OR due.claimed_until <= now())
         ORDER BY due.position, due.id LIMIT 1
           FOR UPDATE OF due SKIP LOCKED
      ) d
     WHERE g.id = d.id
    RETURNING g.id, g.source, g.board, g.server_id AS "serverId"`.execute(db)
  return rows[0]
}

export async function selectServerIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('servers').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

type KnownAccount = { userId: string; isExcluded: boolean }

/** The portal's users behind game accounts. Operators and banned players are not ranked. */
export async function selectAccounts(
  db: Db,
  accounts: readonly string[],
  now: Date,
): Promise<Map<string, KnownAccount>> {
  const { rows } = await sql<{ account: string } & KnownAccount>`
    SELECT u.username_key AS account, u.id AS "userId",
           coalesce(u.ban_until > ${now}, false) OR EXISTS (SELECT FROM user_roles r WHERE r.user_id = u.id)
             AS "isExcluded"
      FROM users u WHERE u.username_key = ANY(${[...accounts]}::text[])`.execute(db)
  return new Map(rows.map(({ account, ...known }) => [account, known]))
}

/** A report may take its time; everything else of the portal may not. */
export async function allowLongStatements(tx: Tx): Promise<void> {
  await sql`SELECT set_config('statement_timeout', '60s', true)`.execute(tx)
}

type TopRecharge = Omit<Candidate, 'userId' | 'name'> & {
  userId: string
  username: string
  characterName: string | null
}

type RawRecharge = Omit<TopRecharge, 'value'> & { value: string }

/**
 * Who recharged the most since a moment, with their strongest character as the portal knows it. Recharges that were
 * taken back do not count. The `LIMIT 1` makes each one of the top be looked up, where a join would read all users.
 */
export async function selectTopRecharges(
  tx: Tx,
  { since, now, limit }: { since: Date; now: Date; limit: number },
): Promise<TopRecharge[]> {
  const { rows } = await sql<RawRecharge>`
    WITH top AS (
      SELECT t.credit_account, sum(t.amount)::bigint AS value
        FROM ledger_transfer t
       WHERE t.kind = 'recharge' AND t.created_at >= ${since}
         AND NOT EXISTS (SELECT FROM ledger_transfer back WHERE back.reverses_id = t.id)
       GROUP BY t.credit_account
       ORDER BY value DESC LIMIT ${limit})
    SELECT u.id AS "userId", u.username, u.server_id AS "serverId", top.value,
           c.name AS "characterName", c.class_id AS "classId", c.level
      FROM top
     CROSS JOIN LATERAL (SELECT * FROM users WHERE wallet_account_id = top.credit_account LIMIT 1) u
      LEFT JOIN LATERAL (
        SELECT name, class_id, level FROM game_character
         WHERE user_id = u.id ORDER BY level DESC, id LIMIT 1) c ON true
     WHERE u.erased_at IS NULL AND (u.ban_until IS NULL OR u.ban_until <= ${now})
       AND NOT EXISTS (SELECT FROM user_roles r WHERE r.user_id = u.id)`.execute(tx)
  return rows.map((row) => ({ ...row, value: parseCoins(row.value) }))
}

/** Replaces a snapshot and releases the claim. Readers see the old one until this commits. */
export async function replaceSnapshot(tx: Tx, groupId: string, entries: readonly Entry[]): Promise<void> {
  // This row's lock makes two that replace one snapshot take turns.
  await sql`
    INSERT INTO ranking_snapshots (group_id, taken_at) VALUES (${groupId}::bigint, clock_timestamp())
    ON CONFLICT (group_id) DO UPDATE SET taken_at = clock_timestamp()`.execute(tx)
  await tx.updateTable('ranking_groups').set({ claimed_until: null }).where('id', '=', groupId).execute()
  await tx.deleteFrom('ranking_entries').where('group_id', '=', groupId).execute()
  if (entries.length === 0) return
  await sql`
    INSERT INTO ranking_entries (group_id, rank, user_id, server_id, name, value, class_id, level)
    SELECT ${groupId}::bigint, e.rank, e."userId", e."serverId", e.name, e.value, e."classId", e.level
      FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e(
        rank integer, "userId" bigint, "serverId" text, name text, value bigint, "classId" integer, level integer)
    `.execute(tx)
}

export const exportRanking = onOnePage(async (db, { id }) => {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT g.name AS ranking, e.rank, e.server_id, e.name, e.value, e.class_id, e.level
      FROM ranking_entries e JOIN ranking_groups g ON g.id = e.group_id
     WHERE e.user_id = ${id}::bigint ORDER BY g.id, e.rank`.execute(db)
  return rows
})

/** The places of a person, until the next snapshot is taken without them. */
export async function eraseEntries(tx: Tx, { id, characters }: Person): Promise<void> {
  await tx.deleteFrom('ranking_entries').where('user_id', '=', id).execute()
  for (const { serverId, name } of characters)
    await tx
      .deleteFrom('ranking_entries')
      .where('server_id', '=', serverId)
      .where('name', '=', name)
      .execute()
  await contentChanges(tx, 'ranking')
}
